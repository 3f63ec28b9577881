import { afterAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../gateway/src/config.ts';
import { ConfigError } from '../../gateway/src/settings/setting.ts';
import { settings } from '../../gateway/src/settings/settings.ts';
import { deadlineOf } from '../../gateway/src/settings/timeSettings.ts';
import { neighbourCases } from './neighbourCases.ts';
import { secretList, serviceCases } from './serviceCases.ts';
import { type Case, file, type Name, notJson, removeFiles } from './settingCase.ts';
import { signInCases } from './signInCases.ts';
import { workCases } from './workCases.ts';

afterAll(removeFiles);

const cases: Record<Name, Case> = {
  ...serviceCases,
  ...workCases,
  ...neighbourCases,
  ...signInCases,
};

const load = (env: Record<string, string>) => loadConfig(env, { cwd: '/srv' });

function problemsOf(env: Record<string, string>): ConfigError {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe.each(Object.entries(cases))(
  '%s',
  (name, { with: others, value, read, gives, refused }) => {
    test('arrives', () => {
      expect(read(load({ ...others, [name]: value }))).toEqual(gives);
    });

    test('counts as not set when it is empty', () => {
      expect(JSON.stringify(load({ [name]: ' ' }))).toBe(JSON.stringify(load({})));
    });

    test('is refused with the allowed values, and without its own when it is secret', () => {
      const error = problemsOf({ ...others, [name]: refused });
      expect(error.problems.map(({ setting }) => setting)).toEqual([name]);
      const message = error.problems[0]?.message ?? '';
      expect(message).toMatch(new RegExp(`^${name} .*\\.$`));
      expect(message.length).toBeLessThan(400);
      expect(message.includes(refused.slice(0, 100))).toBe(!settings[name as Name].isSecret);
    });
  },
);

test('sign-in by a provider needs the provider and the client', () => {
  const error = problemsOf({ SIGN_IN: 'oidc', OIDC_CLIENT_ID: 'framegate' });
  expect(error.problems.map(({ setting }) => setting)).toEqual([
    'OIDC_ISSUER',
    'OIDC_CLIENT_SECRET',
  ]);
  expect(load({ OIDC_ISSUER: 'https://id.example' }).signIn).toEqual({
    ways: 'password',
    staffFactor: 'any',
    oidc: null,
  });
});

test('staff can only have passkeys where browsers use them', () => {
  const required = { STAFF_FACTOR: 'passkey' };
  for (const url of ['http://staff.example', 'https://192.0.2.1', 'http://127.0.0.1:3000']) {
    const { problems } = problemsOf({ ...required, ACCOUNT_URL: url });
    expect([url, problems.map(({ setting }) => setting)]).toEqual([url, ['STAFF_FACTOR']]);
  }
  for (const url of ['https://staff.example', 'http://localhost:3000']) {
    expect(load({ ...required, ACCOUNT_URL: url }).signIn.staffFactor).toBe('passkey');
  }
});

test('an issuer for any tenant needs a list of tenants, with only one if it decides on staff', () => {
  const entra = (tenant: string, more: Record<string, string> = {}) => ({
    SIGN_IN: 'both',
    OIDC_ISSUER: `https://login.microsoftonline.com/${tenant}/v2.0`,
    OIDC_CLIENT_ID: 'framegate',
    OIDC_CLIENT_SECRET: 'secret',
    ...more,
  });
  for (const tenant of ['common', 'organizations', 'consumers']) {
    const { problems } = problemsOf(entra(tenant));
    expect(problems.map(({ setting }) => setting)).toEqual(['OIDC_TENANTS']);
  }
  expect(load(entra('common', { OIDC_TENANTS: 'a,b' })).signIn.oidc?.tenants).toEqual(['a', 'b']);
  expect(load(entra('0f3a')).signIn.oidc?.tenants).toEqual([]);
  const staff = { OIDC_TENANTS: 'a,b', OIDC_STAFF_ADMIN_GROUPS: 'ops' };
  expect(problemsOf(entra('common', staff)).problems.map(({ setting }) => setting)).toEqual([
    'OIDC_TENANTS',
  ]);
  load(entra('common', { ...staff, OIDC_TENANTS: 'a' }));
});

test('every problem is in one message', () => {
  const error = problemsOf({ PORT: 'x', ROLE: 'x', PRICES_FILE: notJson, MEDIA_STORE: 's3' });
  expect(error.problems.map(({ setting }) => setting)).toEqual([
    'ROLE',
    'PORT',
    'PRICES_FILE',
    'S3_BUCKET',
  ]);
  for (const { message } of error.problems) expect(error.message).toContain(message);
});

test('deadlines name models of their type that are built in or in MODELS_FILE, and no others', () => {
  const gamma = {
    type: 'video',
    display_name: 'Gamma',
    typical_seconds: 30,
    capabilities: {
      modes: ['text-to-video'],
      duration_seconds: { min: 4, max: 8, default: 5 },
      resolutions: ['720p'],
      aspect_ratios: ['16:9'],
      generate_audio: false,
      max_prompt_length: 2000,
      inputs: { image: { max_count: 0 }, video: { max_count: 0 }, audio: { max_count: 0 } },
    },
    pricing: { credits: { '720p': 9 } },
  };
  const MODELS_FILE = file('models.json', JSON.stringify({ models: { 'gamma-1': gamma } }));
  const { runningDeadlines } = load({ MODELS_FILE, VIDEO_DEADLINE_SECONDS: '9,gamma-1=30' });
  expect(deadlineOf(runningDeadlines.video, 'gamma-1')).toBe(30);
  const refused = [
    { VIDEO_DEADLINE_SECONDS: '9,gamma-1=30' },
    { MODELS_FILE, IMAGE_DEADLINE_SECONDS: '9,gamma-1=30' },
    { MODELS_FILE, WAITING_DEADLINE_SECONDS: '9,gamma-2=30' },
  ];
  for (const env of refused) {
    const [name = ''] = Object.keys(env).slice(-1);
    expect(problemsOf(env).problems).toMatchObject([
      { setting: name, message: expect.stringMatching(`^${name} names "gamma-[12]",`) as unknown },
    ]);
  }
});

test('halves of the S3 credentials are refused', () => {
  expect(problemsOf({ S3_ACCESS_KEY_ID: 'id' }).message).toContain('must be set together');
});

test('problems in LIMITS_FILE and PRICES_FILE name their line', () => {
  const { message } = problemsOf({
    LIMITS_FILE: cases.LIMITS_FILE.refused,
    PRICES_FILE: cases.PRICES_FILE.refused,
  });
  expect(message).toMatch(
    /LIMITS_FILE.*json:1: running must be greater.*json:1: walking is not allowed/,
  );
  expect(message).toMatch(/PRICES_FILE.*json:1: \["alpha-2\.0-pro"\]\["720p"\] must be an integer/);
});

test('without settings it listens on this machine only and derives its addresses', () => {
  const config = load({});
  expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8080 });
  expect(config.urls).toEqual({
    base: 'http://127.0.0.1:8080/v1',
    account: 'http://127.0.0.1:8080',
    console: 'http://127.0.0.1:8080',
    media: 'http://127.0.0.1:8080/media',
  });
  expect(load({ HOST: '0.0.0.0', PORT: '81' }).urls.base).toBe('http://127.0.0.1:81/v1');
});

test('the configuration is deeply frozen', () => {
  const config = load({ KEY_PEPPERS: secretList });
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.http)).toBe(true);
  expect(Object.isFrozen(config.secrets.keyPeppers?.[0])).toBe(true);
  expect(Object.isFrozen(config.catalogue.catalogue.models[0]?.inputs)).toBe(true);
});

test('variables that others name are read through the configuration', () => {
  const config = loadConfig({ FAL_API_KEY: 'k' });
  expect(config.environment('FAL_API_KEY')).toBe('k');
  expect(config.environment('NOT_SET')).toBeUndefined();
});
