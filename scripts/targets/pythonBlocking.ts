import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../target.ts';

const folder = 'integrations/python/src/framegate';

/** Names in the async source and their blocking counterparts. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\ba(close|iter_\w+)\b/g, '$1'],
  [/\b__a(enter|exit)__\b/g, '__$1__'],
];

/** Blocking client of the Python package, generated from the async one by replacing names. */
export const pythonBlocking: readonly Target[] = [
  'client.py',
  'driver.py',
  'generation.py',
  'resources.py',
].map((file) => ({
  file: `${folder}/_sync/${file}`,
  plain: true,
  content() {
    const source = readFileSync(join(import.meta.dirname, '../..', folder, '_async', file), 'utf8');
    const text = words.reduce((before, [word, other]) => before.replace(word, other), source);
    return text.replace(
      /^(""".*""")\n/,
      `$1\n\n# Made from _async/${file} by "npm run generate": do not edit.\n`,
    );
  },
}));
