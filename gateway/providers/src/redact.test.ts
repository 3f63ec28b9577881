import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutKey } from './keyForms.ts';
import { maxKeptCharacters, redactResponse } from './redact.ts';

const apiKey = 'key-id-0001:CANARY/secret+0002';

const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');

/** A text, and everything readable in its runs of base64 and hexadecimal. */
function readings(text: string): string {
  const plain = [text, decode(text)].join('\n');
  const runs = plain.split(/<key>|[^\w+/-]/);
  const shifted = runs.flatMap((run) => [0, 1, 2, 3].map((shift) => run.slice(shift)));
  return [
    plain,
    ...shifted.map((run) => Buffer.from(run, 'base64').toString('latin1')),
    ...shifted.map((run) => Buffer.from(run, 'hex').toString('latin1')),
  ].join('\n');
}

function decode(text: string): string {
  return text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/[\\\u200b\u2060]/g, '');
}

describe('the key is removed', () => {
  test.each([
    ['as it is', `wrong key ${apiKey}.`],
    ['in JSON', JSON.stringify({ message: `"${apiKey}"` })],
    ['in a URL', `/path?x=${encodeURIComponent(apiKey)}`],
    ['in base64', `x ${Buffer.from(apiKey).toString('base64')} y`],
    ['in part', 'secret CANARY/secret+0002 of key-id-0001'],
  ])('%s', (_, text) => {
    const clean = redactResponse(text, apiKey);
    expect(clean).toContain('<key>');
    for (const part of ['CANARY', 'key-id-0001', 'Q0FOQVJZ']) expect(clean).not.toContain(part);
  });

  const keys = fc.string({ minLength: 12, maxLength: 40 }).filter((key) => !/[<>]/.test(key));
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const base64url = (text: string) => Buffer.from(text).toString('base64url');

  test.each([
    ['in base64 of a header', base64(`Bearer ${apiKey}`)],
    ['in base64 of another header', base64(`Key ${apiKey}`)],
    ['in base64 of a line', base64url(`authorization: Token ${apiKey}\r\n`)],
    ['in base64 within JSON', JSON.stringify(base64(`a?${apiKey}?`)).replaceAll('/', '\\/')],
    ['in base64 within a URL', encodeURIComponent(base64(`${apiKey}???>>>`))],
    ['in hexadecimal', Buffer.from(apiKey).toString('hex')],
    ['in hexadecimal with colons', apiKey.replaceAll(/./g, (c) => `${hexOf(c)}:`)],
    ['in upper case', apiKey.toUpperCase()],
    ['in lower case', apiKey.toLowerCase()],
    ['escaped as a whole for a URL', apiKey.replaceAll(/./g, (c) => `%${hexOf(c).toUpperCase()}`)],
    ['escaped as a whole for JSON', apiKey.replaceAll(/./g, (c) => `\\u00${hexOf(c)}`)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(`"${apiKey}"`))],
    ['with invisible characters', Array.from(apiKey).join('\u200b')],
    ['with invisible characters as JSON escapes them', Array.from(apiKey).join('\\u2060')],
    ['in part, in base64', base64(`secret=CANARY/secret+0002`)],
    ['in part, in hexadecimal', Buffer.from('CANARY/secret+0002').toString('hex')],
  ])('%s', (_, text) => {
    const clean = redactResponse(`so: ${text}!`, apiKey);
    expect(clean).toContain('<key>');
    expect(readings(clean)).not.toMatch(/canary|key-id-0001|secret\+/i);
  });

  test('in every form, wherever it appears in any text', () => {
    const wrap = fc.constantFrom<(text: string) => string>(
      base64,
      base64url,
      (text) => encodeURIComponent(base64(text)),
      (text) => JSON.stringify(base64(text)),
      (text) => Buffer.from(text).toString('hex'),
      (text) => Buffer.from(text).toString('hex').toUpperCase(),
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      encodeURIComponent,
      (text) => JSON.stringify(JSON.stringify(text)),
    );
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(around, keys, around, wrap, (before, key, after, form) => {
        const clean = withoutKey(form(before + key + after), key);
        expect(clean).toContain('<key>');
        // Neither in full nor without two characters at its ends.
        const read = readings(clean).toLowerCase();
        for (let start = 0; start + key.length - 2 <= key.length; start += 1) {
          expect(read).not.toContain(key.slice(start, start + key.length - 2).toLowerCase());
        }
      }),
    );
  });

  test('without changing other text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '4', 'Z', '+', '/', ' '),
      maxLength: 300,
    });
    fc.assert(fc.property(text, (given) => withoutKey(given, apiKey) === given));
  });

  test('wherever it appears in any text', () => {
    fc.assert(
      fc.property(fc.string(), keys, fc.string(), (before, key, after) => {
        const clean = redactResponse(before + key + after, key);
        return !clean.includes(key);
      }),
    );
  });
});

describe('anything that looks like a credential is removed, even one of another owner', () => {
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
    expect(redactResponse(text, 'unused-key')).toBe(clean);
  });

  test('within JSON inside a string', () => {
    const inner = JSON.stringify({ token: 'CANARY', code: 'InvalidParameter' });
    expect(redactResponse(JSON.stringify({ message: inner }), '')).not.toContain('CANARY');
  });
});

test('useful text stays', () => {
  const texts = [
    '{"id":"cgt-1","status":"succeeded","usage":{"completion_tokens":108900,"total_tokens":1.5}}',
    '{"error":{"code":"InputTextSensitiveContentDetected","message":"key frames: <b>no</b>"}}',
    '{"next_page_token":null}',
    '<html><body><h1>502 Bad Gateway</h1></body></html>',
  ];
  for (const text of texts) expect(redactResponse(text, 'unused-key')).toBe(text);
});

describe('the length', () => {
  test('is bounded, and files are left out', () => {
    const file = `data:image/png;base64,${'A'.repeat(5000)}`;
    expect(redactResponse(`{"image":"${file}","id":"1"}`, '')).toBe(
      '{"image":"data:image/png;base64,<5000 characters>","id":"1"}',
    );
    const long = redactResponse('a word. '.repeat(10_000), '');
    expect(long.slice(maxKeptCharacters)).toBe('\n… (80000 characters in all)');
  });

  test('hostile responses take little time', () => {
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
      expect(redactResponse(text, 'unused-key').length).toBeLessThan(maxKeptCharacters + 100);
    }
  });
});
