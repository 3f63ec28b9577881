import { expect, test } from '@jest/globals';
import { builtPatterns, patternBounds, rowText } from './patternBounds.ts';
import { hardTexts, readPatterns, timeOf } from './patterns.ts';

const { literals, built } = readPatterns();

/** Characters of a text at which a non-linear pattern is clearly slow. */
const longText = 20_000;
/** The most steps of a match: 5 ms on a quiet core. */
const maxMillionSteps = 4;

/** The time of a million steps of a backtracking engine on this machine, in ms. */
const millionSteps = () => timeOf({ source: 'a*b', flags: '' }, 'a'.repeat(1_414));
const defaultStep = Math.max(millionSteps(), millionSteps());

/** Whether a match takes too long in each of several attempts, so that a pause of the machine does not count. */
function isSlow(pattern: { source: string; flags: string }, text: string): boolean {
  const limitMs = maxMillionSteps * defaultStep;
  const ms = timeOf(pattern, text);
  if (ms <= limitMs) return false;
  const again = ms > 20 * limitMs ? 1 : 3;
  for (let attempt = 0; attempt < again; attempt += 1) {
    const step = Math.max(defaultStep, millionSteps());
    if (timeOf(pattern, text) <= maxMillionSteps * step) return false;
  }
  return true;
}

/** Short texts first: an exponential pattern would never end with a long one. */
const isSlowAt = (pattern: { source: string; flags: string }, longest: number) =>
  [24, longest].some((length) => hardTexts(pattern, length).some((text) => isSlow(pattern, text)));

const nameOf = ({ file, source }: { file: string; source: string }) => `${file} /${source}/`;

test('no regular expression is slow at the longest text that reaches it', () => {
  const bounds = new Map(patternBounds.map((row) => [nameOf(row), row]));
  const slow = literals.filter((pattern) => {
    const bound = bounds.get(nameOf(pattern));
    const { file } = pattern;
    if (bound?.maxLength === 'trusted') return false;
    return isSlowAt(pattern, bound?.maxLength ?? (file.endsWith('.json') ? rowText : longText));
  });
  // Make it linear, such as by (?<!x) before x+, or cut its text and add a row to `patternBounds`.
  expect(slow.map(nameOf)).toEqual([]);
  const known = new Set(literals.map(nameOf));
  expect([...bounds.keys()].filter((name) => !known.has(name))).toEqual([]);
}, 120_000);

test('each regular expression built from text has a row with the source of the text', () => {
  const short = built.map((each) => (each.split('\n')[0] ?? '').slice(0, 100));
  expect(short.toSorted()).toEqual(Object.keys(builtPatterns).toSorted());
});

test.each(['(a|a)*b', String.raw`(https?:\/\/[^\s]+)\?`, String.raw`"(?:[^"\\]|\\.)*"`])(
  'a slow one is found: %s',
  (source) => {
    expect(isSlowAt({ source, flags: 'g' }, longText)).toBe(true);
  },
);
