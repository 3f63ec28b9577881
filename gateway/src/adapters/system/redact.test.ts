import { expect, test } from '@jest/globals';
import { redactErrorText, redactLine } from './redact.ts';

test.each([
  ['{"key":"fg_live_abc1"}', '{"key":"fg_live_<redacted>"}'],
  ['{"key":"fg_operator_abc1"}', '{"key":"fg_operator_<redacted>"}'],
  ['{"at":"mongodb://me:secret@db.test/x"}', '{"at":"mongodb://<redacted>@db.test/x"}'],
  ['{"at":"https://cdn.test/a?sig=1"}', '{"at":"https://cdn.test/a?<redacted>"}'],
  [
    '{"route":"/v1/generations/:id","mail":"a@b.test"}',
    '{"route":"/v1/generations/:id","mail":"a@b.test"}',
  ],
])('a line loses keys, passwords and queries, and keeps the rest: %s', (line, clean) => {
  expect(redactLine(line)).toBe(clean);
});

test('an error loses a whole URL, also one with a key in it', () => {
  const text = 'no reply from https://a.test/fg_live_abc1/path?sig=1 to fg_live_abc1';
  expect(redactErrorText(text)).toBe('no reply from https://<redacted> to fg_live_<redacted>');
});
