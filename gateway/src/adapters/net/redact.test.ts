import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { maxKeptCharacters, redactAnswer } from './redact.ts';

const apiKey = 'key-id-0001:CANARY/secret+0002';

describe('the key is removed', () => {
  test.each([
    ['as it is', `wrong key ${apiKey}.`],
    ['in JSON', JSON.stringify({ message: `"${apiKey}"` })],
    ['in a URL', `/path?x=${encodeURIComponent(apiKey)}`],
    ['in base64', `x ${Buffer.from(apiKey).toString('base64')} y`],
    ['in part', 'secret CANARY/secret+0002 of key-id-0001'],
  ])('%s', (_, text) => {
    const clean = redactAnswer(text, apiKey);
    expect(clean).toContain('<key>');
    for (const part of ['CANARY', 'key-id-0001', 'Q0FOQVJZ']) expect(clean).not.toContain(part);
  });

  test('wherever it stands in whatever text', () => {
    const keys = fc.string({ minLength: 12, maxLength: 40 }).filter((key) => !/[<>]/.test(key));
    fc.assert(
      fc.property(fc.string(), keys, fc.string(), (before, key, after) => {
        const clean = redactAnswer(before + key + after, key);
        return !clean.includes(key);
      }),
    );
  });
});

describe('what looks like a credential is removed, also one of another owner', () => {
  test.each([
    [
      '{"url":"https://a.example/v.mp4?X-Sig=CANARY&e=1"}',
      '{"url":"https://a.example/v.mp4?<redacted>"}',
    ],
    [
      '{"url":"https:\\/\\/a.example\\/v.mp4?s=CANARY"}',
      '{"url":"https:\\/\\/a.example\\/v.mp4?<redacted>"}',
    ],
    ['see https://u:CANARY@a.example/x now', 'see https://<redacted>@a.example/x now'],
    ['https://a.example/v#CANARY', 'https://a.example/v#<redacted>'],
    ['https:\\/\\/a.example\\/v\\u003fs=CANARY', 'https:\\/\\/a.example\\/v\\u003f<redacted>'],
    ['Authorization: Bearer CANARY', 'Authorization: <redacted> <redacted>'],
    ['sent Bearer CANARY.CANARY-x', 'sent Bearer <redacted>'],
    ['{"authorization":"Basic CANARY=="}', '{"authorization":<redacted>}'],
    ['{"upload_token": "CAN\\"ARY", "id": "1"}', '{"upload_token": <redacted>, "id": "1"}'],
    ['{"set-cookie":["CANARY=1","b"],"a":1}', '{"set-cookie":<redacted>,"a":1}'],
    ["apiKey = 'CANARY'", 'apiKey = <redacted>'],
    ['path/x?X-Amz-Signature=CANARY&b=2', 'path/x?X-Amz-Signature=<redacted>&b=2'],
    ['eyJCANARY.eyJCANARY.CANARY', '<redacted>'],
    ['our fg_live_CANARY1234 here', 'our fg_live_<redacted> here'],
    ['sk-proj-CANARY-123', 'sk-<redacted>'],
  ])('%s', (text, clean) => {
    expect(redactAnswer(text, 'unused-key')).toBe(clean);
  });

  test('within JSON that stands in a string', () => {
    const inner = JSON.stringify({ token: 'CANARY', code: 'InvalidParameter' });
    expect(redactAnswer(JSON.stringify({ message: inner }), '')).not.toContain('CANARY');
  });
});

test('what tells something stays', () => {
  const texts = [
    '{"id":"cgt-1","status":"succeeded","usage":{"completion_tokens":108900,"total_tokens":1.5}}',
    '{"error":{"code":"InputTextSensitiveContentDetected","message":"key frames: <b>no</b>"}}',
    '{"next_page_token":null}',
    '<html><body><h1>502 Bad Gateway</h1></body></html>',
  ];
  for (const text of texts) expect(redactAnswer(text, 'unused-key')).toBe(text);
});

describe('the length', () => {
  test('is bounded, and files are left out', () => {
    const file = `data:image/png;base64,${'A'.repeat(5000)}`;
    expect(redactAnswer(`{"image":"${file}","id":"1"}`, '')).toBe(
      '{"image":"data:image/png;base64,<5000 characters>","id":"1"}',
    );
    const long = redactAnswer('a word. '.repeat(10_000), '');
    expect(long.slice(maxKeptCharacters)).toBe('\n… (80000 characters in all)');
  });

  test('of hostile answers does not take long', () => {
    const hostile = [
      'token',
      'token:[',
      'a.a',
      'http://',
      '"',
      'Key ',
      'token="\\',
      '-',
      'eyJa.',
      ' ',
    ];
    for (const part of hostile) {
      const text = part.repeat(Math.ceil(1_000_000 / part.length));
      expect(redactAnswer(text, 'unused-key').length).toBeLessThan(maxKeptCharacters + 100);
    }
  });
});
