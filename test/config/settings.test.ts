import { afterAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../gateway/src/config.ts';
import { ConfigError } from '../../gateway/src/config/setting.ts';
import { settings } from '../../gateway/src/config/settings.ts';
import { neighbourCases } from './neighbourCases.ts';
import { secretList, serviceCases } from './serviceCases.ts';
import { notJson, removeFiles, type Case, type Name } from './settingCase.ts';
import { workCases } from './workCases.ts';

afterAll(removeFiles);

const cases: Record<Name, Case> = { ...serviceCases, ...workCases, ...neighbourCases };

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

    test('is refused with what is allowed, and without its value when it is secret', () => {
      const error = problemsOf({ ...others, [name]: refused });
      expect(error.problems.map(({ setting }) => setting)).toEqual([name]);
      const message = error.problems[0]?.message ?? '';
      expect(message).toMatch(new RegExp(`^${name} .*\\.$`));
      expect(message.length).toBeLessThan(400);
      expect(message.includes(refused.slice(0, 100))).toBe(!settings[name as Name].secret);
    });
  },
);

test('every problem is told in one message', () => {
  const error = problemsOf({ PORT: 'x', ROLE: 'x', PRICES_FILE: notJson, MEDIA_STORE: 's3' });
  expect(error.problems.map(({ setting }) => setting)).toEqual([
    'ROLE',
    'PORT',
    'PRICES_FILE',
    'S3_BUCKET',
  ]);
  for (const { message } of error.problems) expect(error.message).toContain(message);
});

test('halves of the S3 credentials are refused', () => {
  expect(problemsOf({ S3_ACCESS_KEY_ID: 'id' }).message).toContain('go together');
});

test('problems in LIMITS_FILE and PRICES_FILE name the place in the file', () => {
  const { message } = problemsOf({
    LIMITS_FILE: cases.LIMITS_FILE.refused,
    PRICES_FILE: cases.PRICES_FILE.refused,
  });
  expect(message).toMatch(/LIMITS_FILE.*running must be greater.*walking is not allowed/);
  expect(message).toMatch(/PRICES_FILE.*alpha-2\.0-pro 720p must be a whole number/);
});

test('without settings it listens on this machine only and derives its addresses', () => {
  const config = load({});
  expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8080 });
  expect(config.urls).toEqual({
    base: 'http://127.0.0.1:8080/v1',
    account: 'http://127.0.0.1:8080',
    media: 'http://127.0.0.1:8080/media',
  });
  expect(load({ HOST: '0.0.0.0', PORT: '81' }).urls.base).toBe('http://127.0.0.1:81/v1');
});

test('the configuration is frozen to the bottom', () => {
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
