import { pick } from '../seededRandom.ts';
import { makeOrbits } from './orbits.ts';
import { makeRidges } from './ridges.ts';
import type { Scene, SceneSetting } from './sceneParts.ts';
import { makeShore } from './shore.ts';

/** One of the scenes by chance. */
export function makeScene(setting: SceneSetting): Scene {
  return pick(setting.random, [makeRidges, makeShore, makeOrbits])(setting);
}
