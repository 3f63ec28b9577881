import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { asvsChapters, asvsStates, numbersOf } from '../../scripts/targets/securityAsvs.ts';
import { readText } from '../deploy/support/deployFiles.ts';
import { hasTest } from '../support/namedTest.ts';
import { projectRoot } from '../support/runNode.ts';

/**
 * Requirements of levels 1 and 2 in each section of OWASP ASVS 5.0.0, by chapter: always the first ones of a section.
 */
const counts: readonly Readonly<Record<number, number>>[] = [
  { 1: 2, 2: 9, 3: 11, 4: 3, 5: 2 },
  { 1: 3, 2: 3, 3: 4, 4: 1 },
  { 2: 2, 3: 4, 4: 6, 5: 5, 7: 2 },
  { 1: 3, 2: 1, 3: 2, 4: 4 },
  { 1: 1, 2: 3, 3: 2, 4: 3 },
  { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  { 1: 2, 2: 3, 3: 1, 4: 1 },
  { 1: 3, 2: 4 },
  { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
  { 1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1 },
  { 1: 3, 2: 2, 3: 4 },
  { 1: 1, 2: 5, 3: 2, 4: 5 },
  { 1: 2, 2: 4, 3: 3 },
  { 1: 3, 2: 3, 3: 7 },
  { 1: 1, 2: 5, 3: 4, 4: 3, 5: 3 },
  { 1: 1, 2: 4, 3: 2 },
];

const rows = asvsChapters.flatMap((chapter) => chapter.rows);

test('each requirement of levels 1 and 2 is in its chapter, once', () => {
  const required = counts.map((sections, chapter) =>
    Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, at) => `${chapter + 1}.${section}.${at + 1}`),
    ),
  );
  const named = asvsChapters.map((chapter) => chapter.rows.flatMap(numbersOf).toSorted());
  expect(named).toEqual(required.map((numbers) => numbers.toSorted()));
});

test('SECURITY.md promises a time for each severity that fails the audit', () => {
  const page = readText('SECURITY.md');
  const times = [...page.matchAll(/^\| (\w+) +\| (\d+) +\|$/gm)].map(([, name, days]) => [
    name,
    Number(days),
  ]);
  expect(times).toEqual([
    ['critical', 7],
    ['high', 30],
    ['moderate', 90],
  ]);
  // All others stop a release.
  expect(readText('scripts/audit.ts')).toContain(
    "minor: readonly string[] = ['info', 'low', 'total']",
  );
  const release = execFileSync('git', ['grep', '-l', 'npm run audit', '--', '.github', 'scripts'], {
    cwd: projectRoot,
  });
  expect(release.toString()).toContain('.github/workflows/');
});

test('no requirement is open', () => {
  expect(rows.filter(({ state }) => state === 'gap')).toEqual([]);
});

test('each row names a test that exists, or the day of a review', () => {
  const wrong = rows.filter(({ state, how, test: proof, read }) => {
    if (!(state in asvsStates)) return true;
    if (proof) return read !== undefined || !hasTest(proof);
    return how === undefined || !/^\d{4}-\d\d-\d\d$/.test(read ?? '');
  });
  expect(wrong).toEqual([]);
});
