import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig, type Config } from '../../gateway/src/config.ts';
import { ConfigError } from '../../gateway/src/config/parseSettings.ts';
import { deadlineOf } from '../../gateway/src/config/timeSettings.ts';
import { settings } from '../../gateway/src/config/settings.ts';

type Name = keyof typeof settings;

/** How a setting shows in the configuration, and a value that is refused. */
interface Case {
  /** Further settings that it needs. */
  with?: Partial<Record<Name, string>>;
  value: string;
  read: (config: Config) => unknown;
  gives: unknown;
  refused: string;
}

const folder = mkdtempSync(join(tmpdir(), 'framegate-config-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const notJson = file('notJson.json', '{');
const secret = 's'.repeat(32);
const secretList = `b:${secret}, a:${secret}:with:colons`;
const secrets = [
  { version: 'b', secret },
  { version: 'a', secret: `${secret}:with:colons` },
];
const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const s3 = { MEDIA_STORE: 's3', S3_BUCKET: 'media' };
const maxSeconds = (model: string) => (config: Config) =>
  config.models.find(({ id }) => id === model)?.maxSeconds;

const cases: Record<Name, Case> = {
  SIGN_UP: { value: 'invite', read: (c) => c.signUp, gives: 'invite', refused: 'nobody' },
  MODE: { value: 'development', read: (c) => c.mode, gives: 'development', refused: 'test' },
  ROLE: { value: 'worker', read: (c) => c.role, gives: 'worker', refused: 'master' },
  HOST: { value: '::1', read: (c) => c.urls.base, gives: 'http://[::1]:8080/v1', refused: 'a b' },
  PORT: { value: ' 9000 ', read: (c) => c.http.port, gives: 9000, refused: '65536' },
  METRICS_PORT: { value: '9464', read: (c) => c.http.metricsPort, gives: 9464, refused: '8080' },
  BASE_URL: {
    value: 'https://api.example/media/v1/',
    read: (c) => c.urls,
    gives: {
      base: 'https://api.example/media/v1',
      account: 'https://api.example/media',
      media: 'https://api.example/media/media',
    },
    refused: 'https://api.example/v2',
  },
  ACCOUNT_URL: {
    value: 'https://my.example',
    read: (c) => [c.urls.account, c.urls.media],
    gives: ['https://my.example', 'https://my.example/media'],
    refused: 'https://user@my.example',
  },
  MEDIA_URL: {
    value: 'https://media.example',
    read: (c) => c.urls.media,
    gives: 'https://media.example',
    refused: 'media.example',
  },
  METRICS_HOST: { value: '::1', read: (c) => c.http.metricsHost, gives: '::1', refused: 'a b' },
  MCP: { value: 'off', read: (c) => c.http.mcp, gives: false, refused: 'false' },
  TRUST_PROXY: {
    value: '2',
    read: (c) => c.http.trustedProxies,
    gives: { hops: 2 },
    refused: '11',
  },
  HSTS_SUBDOMAINS: {
    value: 'true',
    read: (c) => c.http.hstsSubdomains,
    gives: true,
    refused: 'yes',
  },
  LOG_LEVEL: { value: 'debug', read: (c) => c.logLevel, gives: 'debug', refused: 'loud' },
  MONGODB_URI: {
    value: 'mongodb+srv://db.example/framegate',
    read: (c) => c.database.uri,
    gives: 'mongodb+srv://db.example/framegate',
    refused: 'postgres://secret-password@db.example',
  },
  DATA_DIR: {
    value: 'data',
    read: (c) => c.dataDir,
    gives: '/srv/data',
    refused: 'x'.repeat(5000),
  },
  MONGOD: {
    value: '/usr/bin/mongod',
    read: (c) => c.database.mongod,
    gives: '/usr/bin/mongod',
    refused: 'x'.repeat(5000),
  },
  PROVIDERS_DIR: {
    value: 'providers',
    read: (c) => c.providersDir,
    gives: '/srv/providers',
    refused: 'x'.repeat(5000),
  },
  CACHE_DIR: {
    value: 'cache',
    read: (c) => c.database.cacheDir,
    gives: '/srv/cache',
    refused: 'x'.repeat(5000),
  },
  KEY_PEPPERS: {
    value: secretList,
    read: (c) => c.secrets.keyPeppers,
    gives: secrets,
    refused: 'a:too-short-to-be-secret',
  },
  MEDIA_SIGNING_KEYS: {
    value: secretList,
    read: (c) => c.secrets.mediaSigningKeys,
    gives: secrets,
    refused: `a:${secret},a:${secret}`,
  },
  SESSION_KEYS: {
    value: secretList,
    read: (c) => c.secrets.sessionKeys,
    gives: secrets,
    refused: `${secret}-without-version`,
  },
  ROUTES_FILE: {
    value: file('routes.json', '{ "models": {} }'),
    read: (c) => c.routes?.content,
    gives: { models: {} },
    refused: notJson,
  },
  PRICES_FILE: {
    value: file('prices.json', '{ "alpha-2.0-pro": { "720p": 15 } }'),
    read: (c) =>
      c.models.flatMap((model) =>
        model.type === 'video' && model.id === 'alpha-2.0-pro' ? [model.creditsPerSecond] : [],
      ),
    gives: [{ '480p': 7, '720p': 15, '1080p': 32 }],
    refused: file('wrongPrices.json', '{ "alpha-2.0-pro": { "720p": 1.5 } }'),
  },
  LIMITS_FILE: {
    value: file('limits.json', '{ "running": 1000000, "waiting": 0 }'),
    read: (c) => c.limits,
    gives: {
      createsPerMinute: 60,
      burst: 10,
      running: 1_000_000,
      waiting: 0,
      statusReadsPerMinute: 600,
      otherReadsPerMinute: 120,
    },
    refused: file('wrongLimits.json', '{ "running": 0, "walking": 1 }'),
  },
  SAFETY_FILE: {
    value: file('safety.json', '{ "rules": [{ "name": "a", "words": ["b"] }] }'),
    read: (c) => c.safety,
    gives: [{ name: 'a', words: ['b'], patterns: [] }],
    refused: file('wrongSafety.json', '{ "rules": [{ "name": "a", "patterns": ["("] }] }'),
  },
  WAITING_DEADLINE_SECONDS: {
    value: '5, image-a-2=7',
    read: ({ waitingDeadline }) =>
      ['image-a-2', 'beta-3.0'].map((model) => deadlineOf(waitingDeadline, model)),
    gives: [7, 5],
    refused: '0',
  },
  VIDEO_DEADLINE_SECONDS: {
    value: '9',
    read: maxSeconds('beta-3.0'),
    gives: 9,
    refused: '9,image-a-2=4',
  },
  IMAGE_DEADLINE_SECONDS: {
    value: '9,image-b-2=2592000',
    read: maxSeconds('image-b-2'),
    gives: 2_592_000,
    refused: '2592001',
  },
  IDEMPOTENCY_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.idempotencyKeptSeconds,
    gives: 60,
    refused: '0',
  },
  STOP_PAUSE_SECONDS: {
    value: '5',
    read: (c) => c.stopPauseSeconds,
    gives: 5,
    refused: '301',
  },
  STOP_GRACE_SECONDS: {
    value: '30',
    read: (c) => c.stopGraceSeconds,
    gives: 30,
    refused: '0',
  },
  OUTPUTS_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.outputsKeptSeconds,
    gives: 60,
    refused: '1.5',
  },
  PROMPTS_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.promptsKeptSeconds,
    gives: 60,
    refused: '0',
  },
  AUDIT_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.auditKeptSeconds,
    gives: 60,
    refused: '-1',
  },
  SIGNUP_CREDITS: { value: '500', read: (c) => c.signupCredits, gives: 500, refused: '-1' },
  CREDIT_VALUE: {
    value: '0.0125 EUR',
    read: (c) => c.creditValue,
    gives: { currency: 'EUR', micros: 12_500 },
    refused: '0.01',
  },
  CREDITS_URL: {
    value: 'https://shop.example/credits?from=framegate',
    read: (c) => c.links.credits,
    gives: 'https://shop.example/credits?from=framegate',
    refused: 'javascript:alert(1)',
  },
  SUPPORT_URL: {
    value: 'mailto:help@example.com',
    read: (c) => c.links.support,
    gives: 'mailto:help@example.com',
    refused: 'help@example.com',
  },
  SUPPORT_CREDITS_PER_DAY: {
    ...{ value: '500', read: (c: Config) => c.supportCreditsPerDay, gives: 500, refused: '-1' },
  },
  SECOND_PERSON_CREDITS: {
    ...{ value: '500', read: (c: Config) => c.secondPersonCredits, gives: 500, refused: '-1' },
  },
  AUTO_APPROVED_HOSTS: {
    value: 'CDN.example, *.files.example',
    read: (c) => c.inputHosts.autoApproved,
    gives: ['cdn.example', '*.files.example'],
    refused: '*.example',
  },
  INPUT_HOST_OVERRIDES: {
    value: 'Media.example=127.0.0.1:8443,six.example=[::1]:443',
    read: (c) => c.inputHosts.overrides,
    gives: {
      'media.example': { address: '127.0.0.1', port: 8443 },
      'six.example': { address: '::1', port: 443 },
    },
    refused: 'media.example=localhost:8443',
  },
  MEDIA_STORE: {
    value: 'disk',
    read: (c) => c.mediaStore,
    gives: { kind: 'disk', folder: '/srv/.framegate/media' },
    refused: 'tape',
  },
  POSTERS: { value: 'images', read: (c) => c.posters, gives: ['image'], refused: 'yes' },
  S3_BUCKET: {
    with: s3,
    value: 'media',
    read: (c) => c.mediaStore,
    gives: {
      kind: 's3',
      bucket: 'media',
      region: 'us-east-1',
      endpoint: null,
      prefix: null,
      credentials: null,
      forcePathStyle: false,
    },
    refused: 'my bucket',
  },
  S3_REGION: inS3('eu-central-1', 'region', 'eu central'),
  S3_ENDPOINT: inS3('https://s3.example', 'endpoint', 'ftp://s3.example'),
  S3_PREFIX: inS3('framegate/media', 'prefix', '/framegate'),
  S3_ACCESS_KEY_ID: {
    with: { ...s3, S3_SECRET_ACCESS_KEY: 'shh' },
    value: 'id',
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ credentials: { accessKeyId: 'id', secretAccessKey: 'shh' } }),
    refused: 'two words',
  },
  S3_SECRET_ACCESS_KEY: {
    with: { ...s3, S3_ACCESS_KEY_ID: 'id' },
    value: 'shh',
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ credentials: { accessKeyId: 'id', secretAccessKey: 'shh' } }),
    refused: 'two words',
  },
  S3_FORCE_PATH_STYLE: {
    with: s3,
    value: 'true',
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ forcePathStyle: true }),
    refused: 'yes',
  },
  SMTP_URL: {
    value: 'smtps://user:password@mail.example',
    read: (c) => c.mail.smtpUrl,
    gives: 'smtps://user:password@mail.example',
    refused: 'mail.example',
  },
  MAIL_FROM: {
    value: 'Studio <hello@studio.example>',
    read: (c) => c.mail.from,
    gives: 'Studio <hello@studio.example>',
    refused: 'hello',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    value: 'http://collector:4318/',
    read: (c) => c.traces,
    gives: {
      endpoint: 'http://collector:4318',
      headers: {},
      attributes: { 'service.name': 'framegate' },
      sampler: 'parentbased_always_on',
      ratio: 1,
    },
    refused: 'collector:4318',
  },
  OTEL_EXPORTER_OTLP_HEADERS: inTraces('x-key=a%20b, y=c=d', 'headers', {
    gives: { 'x-key': 'a b', y: 'c=d' },
    refused: 'a secret without a name',
  }),
  OTEL_TRACES_EXPORTER: {
    value: 'otlp',
    read: (c) => c.traces?.endpoint,
    gives: 'http://localhost:4318',
    refused: 'console',
  },
  OTEL_SDK_DISABLED: {
    with: traced,
    value: 'true',
    read: (c) => c.traces,
    gives: null,
    refused: 'yes',
  },
  OTEL_SERVICE_NAME: inTraces('media', 'attributes', {
    gives: { 'service.name': 'media' },
    refused: 'x'.repeat(201),
  }),
  OTEL_RESOURCE_ATTRIBUTES: inTraces('deployment.environment.name=test', 'attributes', {
    gives: { 'service.name': 'framegate', 'deployment.environment.name': 'test' },
    refused: 'a=%',
  }),
  OTEL_TRACES_SAMPLER: inTraces('traceidratio', 'sampler', {
    gives: 'traceidratio',
    refused: 'sometimes',
  }),
  OTEL_TRACES_SAMPLER_ARG: inTraces('0.25', 'ratio', { gives: 0.25, refused: '1.5' }),
};

function inTraces(
  value: string,
  field: 'headers' | 'attributes' | 'sampler' | 'ratio',
  rest: Pick<Case, 'gives' | 'refused'>,
): Case {
  return { with: traced, value, read: (c) => c.traces?.[field], ...rest };
}

function inS3(value: string, field: string, refused: string): Case {
  return {
    with: s3,
    value,
    read: (c) => c.mediaStore,
    gives: expect.objectContaining({ [field]: value }),
    refused,
  };
}

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
  expect(Object.isFrozen(config.models[0]?.inputs)).toBe(true);
});

test('variables that others name are read through the configuration', () => {
  const config = loadConfig({ FAL_API_KEY: 'k' });
  expect(config.environment('FAL_API_KEY')).toBe('k');
  expect(config.environment('NOT_SET')).toBeUndefined();
});
