import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { completeSecrets } from '../../gateway/src/adapters/system/secretsFile.ts';

const none = { keyPeppers: null, mediaSigningKeys: null, sessionKeys: null };
let folder = '';

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'framegate-secrets-')), 'data');
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true });
});

test('makes each secret once, in a file for its owner only', () => {
  const first = completeSecrets(none, folder);
  expect(completeSecrets(none, folder)).toEqual(first);
  const lists = [first.keyPeppers, first.mediaSigningKeys, first.sessionKeys];
  const values = lists.flatMap((list) => list.map(({ secret }) => secret));
  expect(new Set(values).size).toBe(3);
  for (const value of values) expect(value.length).toBeGreaterThanOrEqual(43);
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secrets.json']);
});

test("uses the operator's secrets, and makes no file when none is missing", () => {
  const given = [{ version: '1', secret: 's'.repeat(32) }];
  const all = { keyPeppers: given, mediaSigningKeys: given, sessionKeys: given };
  expect(completeSecrets(all, folder)).toEqual(all);
  expect(() => readdirSync(folder)).toThrow('ENOENT');
  const mixed = completeSecrets({ ...none, sessionKeys: given }, folder);
  expect(mixed.sessionKeys).toBe(given);
  expect(mixed.keyPeppers).toEqual(completeSecrets(none, folder).keyPeppers);
});

test.each(['', '{}', '{"keyPeppers":[]}', 'null'])('refuses a damaged file: %s', (content) => {
  completeSecrets(none, folder);
  writeFileSync(join(folder, 'secrets.json'), content);
  expect(() => completeSecrets(none, folder)).toThrow('was altered after it was generated');
});
