import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  folderWithScript,
  hosts,
  readEnv,
  readSecrets,
  runMakeEnv,
  secretsFolder,
  useMadeEnv,
} from './support/madeEnv.ts';

const { folder, made, secrets } = useMadeEnv();

test('writes files that no other user of the machine can read, with new secrets each time', () => {
  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
  expect([modeOf('.env'), modeOf(secretsFolder)]).toEqual([0o600, 0o700]);
  // Mounted one by one: the users of the containers have to be able to read them.
  for (const name of Object.keys(secrets)) expect(modeOf(join(secretsFolder, name))).toBe(0o444);
  expect(modeOf(join(secretsFolder, 'providers'))).toBe(0o755);
  expect(made).toEqual({ SITE_HOST: hosts[0], MEDIA_HOST: hosts[1] });
  const other = folderWithScript();
  runMakeEnv(other, ...hosts);
  const others = readSecrets(other);
  expect(Object.keys(others)).toHaveLength(10);
  const same = Object.keys(others).filter((name) => others[name] === secrets[name]);
  expect(same).toEqual(['smtp-url']);
  rmSync(other, { recursive: true });
});

test('does not overwrite secrets, and names its requirements', () => {
  for (const args of [hosts, ['--move']]) {
    expect(() => {
      runMakeEnv(folder, ...args);
    }).toThrow('belong to the data');
  }
  const other = folderWithScript();
  for (const args of [['video.example.com'], []]) {
    expect(() => {
      runMakeEnv(other, ...args);
    }).toThrow('usage');
  }
  writeFileSync(join(other, '.env'), 'SITE_HOST=here\n');
  expect(() => {
    runMakeEnv(other, ...hosts);
  }).toThrow('belongs to the data');
  expect(() => {
    runMakeEnv(other, '--move');
  }).toThrow('no secrets of a release before');
  expect([readEnv(other), readSecrets(folder)]).toEqual([{ SITE_HOST: 'here' }, secrets]);
  rmSync(other, { recursive: true });
});

test('makes files of the secrets that an earlier release had in .env, and keeps the rest', () => {
  const other = folderWithScript();
  const before = {
    ...{ SITE_HOST: 'video.example.com', MEDIA_HOST: 'files.example.com' },
    ...{ MONGO_ROOT_PASSWORD: 'r0', MONGO_PASSWORD: 'p0', MONGO_MIGRATION_PASSWORD: 'm0' },
    ...{ MONGO_KEY: 'a+/==', S3_SECRET_ACCESS_KEY: 's0', KEY_PEPPERS: '1:k+/==' },
    ...{ MEDIA_SIGNING_KEYS: '1:m+/==', SESSION_KEYS: '1:s+/==', FRAMEGATE_IMAGE: 'own:1' },
  };
  const lines = Object.entries(before).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(other, '.env'), `${lines.join('')}SMTP_URL='${String(hosts[2])}'\n`);
  runMakeEnv(other, '--move');
  expect(readEnv(other)).toEqual({
    SITE_HOST: 'video.example.com',
    MEDIA_HOST: 'files.example.com',
    FRAMEGATE_IMAGE: 'own:1',
  });
  const { 's3-secret': ofTheGateway, ...moved } = readSecrets(other);
  expect(moved).toMatchObject({
    ...{ 'mongo-key': 'a+/==', 'mongo-root-password': 'r0', 's3-root-secret': 's0' },
    ...{ 'key-peppers': '1:k+/==', 'media-signing-keys': '1:m+/==', 'session-keys': '1:s+/==' },
    'smtp-url': hosts[2],
  });
  expect(moved['mongodb-uri']).toContain('framegate:p0@');
  expect(moved['mongodb-migration-uri']).toContain('framegate-migration:m0@');
  expect(ofTheGateway).toMatch(/^[0-9a-f]{64}$/);
  rmSync(other, { recursive: true });
});
