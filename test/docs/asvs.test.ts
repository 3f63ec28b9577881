import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../support/runNode.ts';

/**
 * How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0.0 has, chapter by chapter, by the
 * section's number. In every section they are the first ones; those of level 3 alone come after them.
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
const required = counts.flatMap((sections, chapter) =>
  Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, i) => `${String(chapter + 1)}.${section}.${String(i + 1)}`),
  ),
);

const page = readFileSync(join(projectRoot, 'docs/security-asvs.md'), 'utf8');
const states = ['met', 'in part', 'not met', 'operator', 'nothing here'];
/** The rows of the table: requirements, state, how. */
const rows = [...page.matchAll(/^\| (\d[^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, numbers = '', state = '', how = '']) => ({
    numbers: expanded(numbers),
    state: state.trim(),
    how: how.trim(),
  }),
);

/** The numbers of a cell, such as `1.2.1 to 1.2.3, 1.3.2`. */
function expanded(cell: string): string[] {
  return cell.split(',').flatMap((part) => {
    const [first = '', last = first] = part.trim().split(' to ');
    const stem = first.replace(/\d+$/, '');
    const [from, to] = [first, last].map((each) => Number(each.slice(stem.length)));
    expect(last).toBe(`${stem}${String(to)}`);
    const length = Number(to) - Number(from) + 1;
    return Array.from({ length }, (_, i) => `${stem}${String(Number(from) + i)}`);
  });
}

test('each requirement of levels 1 and 2 stands in the table, once', () => {
  expect(required).toHaveLength(253);
  const named = rows.flatMap(({ numbers }) => numbers);
  const twice = named.filter((number, index) => named.indexOf(number) !== index);
  expect(twice).toEqual([]);
  expect(required.filter((number) => !named.includes(number))).toEqual([]);
  expect(named.filter((number) => !required.includes(number))).toEqual([]);
});

test('each row says whether it is met, and how or why not', () => {
  for (const { numbers, state, how } of rows) {
    expect([numbers[0], states.includes(state.replaceAll('*', ''))]).toEqual([numbers[0], true]);
    expect([numbers[0], how.length > 3]).toEqual([numbers[0], true]);
  }
});

test('the page’s counts match the table', () => {
  for (const state of states) {
    const own = rows.filter((row) => row.state.replaceAll('*', '') === state);
    const count = own.flatMap(({ numbers }) => numbers).length;
    expect(page).toMatch(new RegExp(`^\\| ${state} +\\| +${String(count)} +\\|`, 'm'));
  }
});

test('the files and pages that the table names exist', () => {
  const links = [...page.matchAll(/\]\((?!https:)([^)#]+)/g)].map(([, path = '']) =>
    join('docs', path),
  );
  const files = [...page.matchAll(/`((?:gateway|test|deploy|scripts|\.github)\/[\w./-]+)`/g)];
  const named = [...links, ...files.map(([, path = '']) => path)];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});
