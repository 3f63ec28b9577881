import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../gateway/src/config.ts';
import { settings } from '../../gateway/src/settings/settings.ts';
import { projectRoot, runNode } from '../support/runNode.ts';

const folder = mkdtempSync(join(tmpdir(), 'framegate-secrets-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const list = (name: string) => `1:${name.padEnd(32, 'x')}`;

test('every secret is taken from the file that NAME_FILE names, without its line end', () => {
  const values: Record<string, string> = {
    MONGODB_URI: 'mongodb://db.example/framegate',
    SMTP_URL: 'smtps://mail.example',
    S3_SECRET_ACCESS_KEY: 's3-secret',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=otlp-secret',
  };
  const names = Object.entries(settings).flatMap(([name, { isSecret }]) =>
    isSecret ? [name] : [],
  );
  expect(names.length).toBeGreaterThan(5);
  const files = names.map((name): [string, string] => [
    `${name}_FILE`,
    file(name, `${values[name] ?? list(name)}\n`),
  ]);
  const config = loadConfig({ ...Object.fromEntries(files), S3_ACCESS_KEY_ID: 'id' });
  expect(config.secrets.keyPeppers).toEqual([
    { version: '1', secret: list('KEY_PEPPERS').slice(2) },
  ]);
  expect([config.database.uri, config.mail.smtpUrl]).toEqual([
    values['MONGODB_URI'],
    values['SMTP_URL'],
  ]);
  for (const each of Object.values(config.secrets)) expect(each).not.toBeNull();
});

test("a provider's key is taken from the file that NAME_FILE names", () => {
  const config = loadConfig({
    ROUTES_FILE: join(projectRoot, 'docs/providers/fal.json'),
    FAL_API_KEY_FILE: file('fal', 'key of fal \n'),
  });
  expect(config.environment('FAL_API_KEY')).toBe('key of fal');
});

test("each of a provider's keys is taken from its own file", () => {
  const content = { providers: { fal: { apiKeyEnvs: ['FAL_KEY_A', 'FAL_KEY_B'] } } };
  const config = loadConfig({
    ROUTES_FILE: file('several.json', JSON.stringify(content)),
    FAL_KEY_A: 'key a',
    FAL_KEY_B_FILE: file('b', 'key b\n'),
  });
  expect(['FAL_KEY_A', 'FAL_KEY_B'].map((name) => config.environment(name))).toEqual([
    'key a',
    'key b',
  ]);
});

test('a wrong file is one clear line, which shows no secret', () => {
  mkdirSync(join(folder, 'sub'));
  const wrong = {
    KEY_PEPPERS_FILE: join(folder, 'missing'),
    SESSION_KEYS_FILE: join(folder, 'sub'),
    MEDIA_SIGNING_KEYS_FILE: file('empty', '\n'),
    MONGODB_URI_FILE: file('large', 'x'.repeat(70_000)),
    SMTP_URL: 'smtps://user:password@mail.example',
    SMTP_URL_FILE: file('both', 'smtps://user:password@mail.example'),
  };
  expect(() => loadConfig(wrong)).toThrow(
    [
      'Framegate cannot start: 5 settings need a change.',
      `  - MONGODB_URI_FILE is "${join(folder, 'large')}": it has 70000 bytes; the maximum is 65536.`,
      `  - KEY_PEPPERS_FILE is "${join(folder, 'missing')}": there is no such file.`,
      `  - MEDIA_SIGNING_KEYS_FILE is "${join(folder, 'empty')}": it is empty.`,
      `  - SESSION_KEYS_FILE is "${join(folder, 'sub')}": it is a folder.`,
      `  - SMTP_URL_FILE is "${join(folder, 'both')}": SMTP_URL is also set; remove one of the two.`,
    ].join('\n'),
  );
  // The setting behind the file is not reported as missing as well.
  expect(() => loadConfig({ MODE: 'production', ...wrong })).not.toThrow('KEY_PEPPERS is not set');
});

test('npm start and npm run admin read .env, and the environment wins', async () => {
  file('.env', 'FROM_FILE=file\nFROM_BOTH=file\n');
  const script = 'process.stdout.write(`${process.env.FROM_FILE} ${process.env.FROM_BOTH}`)';
  const dotEnv = join(projectRoot, 'gateway/dotEnv.js');
  const command = `process.chdir(${JSON.stringify(folder)}); await import(${JSON.stringify(dotEnv)}); ${script}`;
  const read = await runNode(['--input-type=module', '-e', command], { FROM_BOTH: 'environment' });
  expect(read).toMatchObject({ status: 0, stdout: 'file environment', stderr: '' });
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const name of ['start', 'admin']) {
    expect(scripts[name]).toContain('--import ./gateway/dotEnv.js');
  }
});
