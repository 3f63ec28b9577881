import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failureTextOf, isOwnErrorBody, staffNote } from './providerFailures.ts';

describe('failureTextOf', () => {
  test.each([
    ['{"error":{"code":"A","message":"b"}}', 'A | b'],
    [
      '{"detail":[{"loc":["body","prompt"],"msg":"no","type":"t","input":{"prompt":"p"}}]}',
      'no | t',
    ],
    ['{"output":{"code":"X","message":"y","orig_prompt":"p","task_id":"1"}}', 'X | y'],
    ['{"done":true,"response":{"generateVideoResponse":{"raiMediaFilteredReasons":["r"]}}}', 'r'],
    ['<html>error</html>', ''],
    ['', ''],
    [null, ''],
  ])('%s says "%s"', (body, text) => {
    expect(failureTextOf(body)).toBe(text);
  });

  test('never repeats text that a provider echoes, wherever it appears', () => {
    const hidden = 'a private prompt';
    const around = fc.constantFrom('error', 'detail', 'output', 'response', 'data', 'message');
    fc.assert(
      fc.property(fc.array(around, { maxLength: 6 }), fc.jsonValue(), (path, neighbour) => {
        const inner: object = { prompt: hidden, input: { text: hidden }, neighbour };
        const body = path.reduce<object>((value, key) => ({ [key]: [value] }), inner);
        expect(failureTextOf(JSON.stringify(body))).not.toContain(hidden);
      }),
    );
  });

  test('accepts any text', () => {
    fc.assert(fc.property(fc.string(), (body) => typeof failureTextOf(body) === 'string'));
  });

  test('always terminates', () => {
    const deep = `${'{"error":'.repeat(100)}"x"${'}'.repeat(100)}`;
    expect(failureTextOf(deep)).toBe('');
    expect(failureTextOf(JSON.stringify({ message: 'x'.repeat(100_000) })).length).toBeLessThan(
      1100,
    );
  });
});

test.each([
  ['{"error":"x"}', true],
  ['{"detail":"x"}', true],
  ['{"code":"x","message":"y"}', true],
  ['{"errors":[]}', true],
  ['{"id":"x"}', false],
  ['"error"', false],
  ['null', false],
  ['[{"error":"x"}]', false],
  ['<html>', false],
  [null, false],
])("%s is the provider's own error: %p", (body, expected) => {
  expect(isOwnErrorBody(body)).toBe(expected);
});

test('notes for staff hold no URL and no key', () => {
  const note = staffNote(['500', null, '', 'GET https://a.example/b?key=K1 with K1 failed'], 'K1');
  expect(note).toBe('500: GET <url> with <key> failed');
});
