import { expect, test } from '@jest/globals';
import { nextRecord } from '../../scripts/targets/visibleContract.ts';

const log = (...lines: string[]) =>
  ['# Changelog', '## Unreleased', ...lines, '## 0.1.0', '- All.'].join('\n\n');
const contract = {
  settings: [['PORT', { fallback: '8080' }]],
  'error codes': { a: { status: 400 } },
};
const first = nextRecord(null, contract, log());

test('a contract that has not changed needs no line', () => {
  expect(nextRecord(first, contract, log())).toEqual(first);
});

test.each<[string, Record<string, unknown>, string]>([
  ['a changed value', { ...contract, settings: [['PORT', { fallback: '80' }]] }, 'settings'],
  ['a new part', { ...contract, metrics: ['framegate_polls_total'] }, 'metrics'],
  ['a part that is gone', { settings: contract.settings }, 'error codes'],
])('%s is refused without a line at the top of the changelog', (_, changed, name) => {
  const refusal = `The visible contract has changed (${name}): add a line under "## Unreleased"`;
  expect(() => nextRecord(first, changed, log())).toThrow(refusal);
  // A line about an earlier version does not describe this change.
  expect(() => nextRecord(first, changed, `${log()}\n- More.`)).toThrow(refusal);
  const recorded = nextRecord(first, changed, log('- A change.'));
  expect(recorded.parts).not.toEqual(first.parts);
  // The line is used up: the next change needs another one.
  expect(() => nextRecord(recorded, contract, log('- A change.'))).toThrow(refusal);
});

test('a line without a change is recorded, so that it cannot cover a later change', () => {
  const recorded = nextRecord(first, contract, log('- A repair.'));
  expect(recorded).toEqual({ ...first, section: recorded.section });
  expect(recorded.section).not.toBe(first.section);
});

test('a reworded description or message is no change; a field of such a name is one', () => {
  const worded = (description: string) => ({ api: { path: { description, example: { n: 1 } } } });
  const record = nextRecord(null, worded('Old.'), log());
  expect(nextRecord(record, worded('New.'), log())).toEqual(record);
  const field = (type: string) => ({ api: { properties: { message: { type } } } });
  const typed = nextRecord(null, field('string'), log());
  expect(() => nextRecord(typed, field('integer'), log())).toThrow('(api)');
});
