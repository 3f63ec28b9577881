import { expect, test } from '@jest/globals';
import { hostMatcher } from './providerHttp.ts';

const isOurs = hostMatcher([
  'Files.example',
  '*.media.example',
  'odd.example:8443',
  '127.0.0.1:4000',
  '[::1]:4000',
]);

test.each([
  ['https://files.example/a.mp4', true],
  ['https://FILES.example:443/a.mp4', true],
  ['https://a.media.example/', true],
  ['https://a.b.media.example/', true],
  ['https://odd.example:8443/', true],
  ['http://127.0.0.1:4000/', true],
  ['http://[::1]:4000/', true],
  ['https://media.example/', false],
  ['https://evilmedia.example/', false],
  ['https://a.media.example:8443/', false],
  ['https://a.media.example.evil.test/', false],
  ['https://files.example:8443/', false],
  ['https://sub.files.example/', false],
  ['https://odd.example/', false],
  ['https://files.example./', false],
  ['http://127.0.0.1:4001/', false],
  ['https://user@evil.test/files.example', false],
])('%s: %p', (url, expected) => {
  expect(isOurs(new URL(url))).toBe(expected);
});
