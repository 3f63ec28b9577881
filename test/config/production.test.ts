import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../gateway/src/config.ts';
import { ConfigError } from '../../gateway/src/settings/setting.ts';

const folder = mkdtempSync(join(tmpdir(), 'framegate-config-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function routes(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const secretOf = (name: string) => `1:${createHash('sha256').update(name).digest('hex')}`;
const good = {
  MODE: 'production',
  BASE_URL: 'https://api.example/v1',
  MEDIA_URL: 'https://media.example',
  MONGODB_URI: 'mongodb://db.example/framegate?replicaSet=rs0',
  KEY_PEPPERS: secretOf('a'),
  MEDIA_SIGNING_KEYS: secretOf('b'),
  SESSION_KEYS: secretOf('c'),
  TRUST_PROXY: '1',
  SMTP_URL: 'smtp://mail.example',
  ROUTES_FILE: routes('routes.json', {
    providers: { preview: { kind: 'preview-renderer' } },
    models: { 'alpha-2.0-pro': [{ provider: 'preview', model: 'preview' }] },
  }),
};

function refusals(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ setting }) => setting);
  }
}

test('starts with everything set, and with the preview renderer where it is asked for by name', () => {
  expect(refusals(good)).toEqual([]);
});

test('refuses with all reasons at once', () => {
  const overrides = { INPUT_HOST_OVERRIDES: 'media.example=127.0.0.1:8443' };
  expect(refusals({ MODE: 'production', ...overrides }).toSorted()).toEqual([
    'BASE_URL',
    'INPUT_HOST_OVERRIDES',
    'KEY_PEPPERS',
    'MEDIA_SIGNING_KEYS',
    'MEDIA_URL',
    'MONGODB_URI',
    'ROUTES_FILE',
    'SESSION_KEYS',
    'SMTP_URL',
    'TRUST_PROXY',
  ]);
});

const cases: [string, Record<string, string | undefined>][] = [
  ['BASE_URL', { BASE_URL: 'http://api.example/v1' }],
  ['BASE_URL', { BASE_URL: undefined }],
  ['ACCOUNT_URL', { ACCOUNT_URL: 'http://account.example' }],
  ['MEDIA_URL', { MEDIA_URL: undefined }],
  ['MEDIA_URL', { MEDIA_URL: 'http://media.example' }],
  ['MEDIA_URL', { MEDIA_URL: 'https://api.example/media' }],
  ['MEDIA_URL', { MEDIA_URL: 'https://api.example:8443' }],
  ['MEDIA_URL', { ACCOUNT_URL: 'https://media.example' }],
  ['MONGODB_URI', { MONGODB_URI: '' }],
  ['KEY_PEPPERS', { KEY_PEPPERS: undefined }],
  ['MEDIA_SIGNING_KEYS', { MEDIA_SIGNING_KEYS: undefined }],
  ['SESSION_KEYS', { SESSION_KEYS: undefined }],
  ['SMTP_URL', { SMTP_URL: undefined }],
  ['TRUST_PROXY', { TRUST_PROXY: '0' }],
  ['TRUST_PROXY', { TRUST_PROXY: undefined }],
  ['MEDIA_SIGNING_KEYS', { MEDIA_SIGNING_KEYS: secretOf('a') }],
  ['SESSION_KEYS', { SESSION_KEYS: `2:${secretOf('d').slice(2)},1:${secretOf('b').slice(2)}` }],
  ['KEY_PEPPERS', { KEY_PEPPERS: '1:change-me-change-me-change-me-change-me' }],
  ['SESSION_KEYS', { SESSION_KEYS: `1:${'ab'.repeat(20)}` }],
  ['INPUT_HOST_OVERRIDES', { INPUT_HOST_OVERRIDES: 'media.example=127.0.0.1:8443' }],
  ['ROUTES_FILE', { ROUTES_FILE: undefined }],
  ['ROUTES_FILE', { ROUTES_FILE: routes('empty.json', {}) }],
  ['ROUTES_FILE', { ROUTES_FILE: routes('noRoute.json', { models: { 'beta-3.0': [] } }) }],
];

test.each(cases)('refuses %s: %j', (setting, change) => {
  expect(refusals({ ...good, ...change })).toEqual([setting]);
  expect(refusals({ ...good, ...change, MODE: 'development' })).toEqual([]);
});

test('a new account has credits in a trial, and none in production unless they are set', () => {
  const of = (change: object) => loadConfig({ ...good, ...change }).signupCredits;
  expect([of({ MODE: 'development' }), of({}), of({ SIGNUP_CREDITS: '7' })]).toEqual([500, 0, 7]);
});

test('a setting that is invalid in two ways is named once', () => {
  expect(refusals({ ...good, KEY_PEPPERS: 'x', ROUTES_FILE: join(folder, 'no.json') })).toEqual([
    'KEY_PEPPERS',
    'ROUTES_FILE',
  ]);
});
