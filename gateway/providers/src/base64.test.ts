import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeBase64, decodeDataUrl } from './base64.ts';

describe('base64', () => {
  const forms: Readonly<Record<string, (text: string) => string>> = {
    usual: (text) => text,
    'without padding': (text) => text.replace(/=+$/, ''),
    'for URLs': (text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    'in lines': (text) => `${text.replace(/(.{10})/g, '$1\r\n')}\n`,
    'as a data URL': (text) => `data:image/png;base64,${text}`,
  };

  test.each(Object.keys(forms))('of any bytes is decoded exactly: %s', (form) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        const text = forms[form]?.(Buffer.from(bytes).toString('base64')) ?? '';
        expect(decodeBase64(text)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.each(['', '=', 'A', 'AAAAA', 'not ready', 'AAAA=AAAA', '{"error":1}', 'AAA!', 'data:,AAAA'])(
    'is not rubbish: %j',
    (text) => {
      expect(decodeBase64(text)).toBeNull();
    },
  );
});

test.each([
  ['data:video/mp4;base64,AAEC', Buffer.from([0, 1, 2])],
  ['data:image/png,%00%01', Buffer.from([0, 1])],
  ['data:video/mp4;base64,no!', null],
  ['data:,%', null],
])('the address %s contains its own bytes', (url, bytes) => {
  expect(decodeDataUrl(url)).toEqual(bytes);
});
