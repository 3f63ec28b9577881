import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { projectRoot } from '../support/runNode.ts';
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

test('the commands of docs/deploy/compose.md fill the places that compose reads', () => {
  const page = commandsPlayedBy('test/deploy/makeEnv.test.ts', 'docs/deploy/compose.md');
  const other = folderWithScript();
  for (const each of ['docs/providers', 'deploy/compose/config']) {
    cpSync(join(projectRoot, each), join(other, each), { recursive: true });
  }
  execFileSync('sh', ['-euc', page.join('\n')], { cwd: other, stdio: 'pipe' });
  const read = (file: string) => readFileSync(join(other, file), 'utf8');
  const { providers } = JSON.parse(read('deploy/compose/config/routes.json')) as {
    providers: Record<string, { apiKeyEnv: string }>;
  };
  const [[variable, file = ''] = ['']] = Object.entries(parseEnv(read('providers.env')));
  expect(Object.values(providers).map(({ apiKeyEnv }) => `${apiKeyEnv}_FILE`)).toContain(variable);
  expect(read(file.replace('/run/secrets', secretsFolder)).trim()).toBe('your key');
  expect(readEnv(other)).toEqual(made);
  rmSync(other, { recursive: true });
});

test('does not overwrite secrets, and names its requirements', () => {
  expect(() => {
    runMakeEnv(folder, ...hosts);
  }).toThrow('belong to the data');
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
  expect([readEnv(other), readSecrets(folder)]).toEqual([{ SITE_HOST: 'here' }, secrets]);
  rmSync(other, { recursive: true });
});
