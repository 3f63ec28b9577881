import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../target.ts';

const logo = join(import.meta.dirname, '../../gateway/src/http/pages/assets/icon.svg');

/** The one logo, where the package for n8n shows it: it has a ground of its own, for light and dark. */
export const logos: readonly Target[] = ['framegate', 'framegate.dark'].map((name) => ({
  file: `integrations/n8n/icons/${name}.svg`,
  plain: true,
  content: () => readFileSync(logo, 'utf8'),
}));
