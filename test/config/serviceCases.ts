import { type Case, file, type Name, notJson } from './settingCase.ts';

const secret = 's'.repeat(32);
/** Two secrets with their versions, as settings take them. */
export const secretList = `b:${secret}, a:${secret}:with:colons`;
const secrets = [
  { version: 'b', secret },
  { version: 'a', secret: `${secret}:with:colons` },
];

/** Settings of the service itself: where it listens, its secrets, and the files that it reads. */
export const serviceCases = {
  SIGN_UP: { value: 'invite', read: (c) => c.signUp, gives: 'invite', refused: 'nobody' },
  MODE: { value: 'development', read: (c) => c.mode, gives: 'development', refused: 'test' },
  ROLE: { value: 'worker', read: (c) => c.role, gives: 'worker', refused: 'master' },
  HOST: { value: '::1', read: (c) => c.urls.base, gives: 'http://[::1]:8080/v1', refused: 'a b' },
  PORT: { value: ' 9000 ', read: (c) => c.http.port, gives: 9000, refused: '65536' },
  METRICS_PORT: { value: '9464', read: (c) => c.http.metricsPort, gives: 9464, refused: '8080' },
  OPERATOR_PORT: { value: '8081', read: (c) => c.http.operatorPort, gives: 8081, refused: '8080' },
  OPERATOR_HOST: {
    value: '::1',
    read: (c) => c.http.operatorHost,
    gives: '::1',
    refused: 'a b',
  },
  BASE_URL: {
    value: 'https://api.example/media/v1/',
    read: (c) => c.urls,
    gives: {
      base: 'https://api.example/media/v1',
      account: 'https://api.example/media',
      console: 'https://api.example/media',
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
  CONSOLE_URL: {
    value: 'https://console.example/',
    read: (c) => c.urls.console,
    gives: 'https://console.example',
    refused: 'console.example',
  },
  MEDIA_URL: {
    value: 'https://media.example',
    read: (c) => c.urls.media,
    gives: 'https://media.example',
    refused: 'media.example',
  },
  METRICS_HOST: { value: '::1', read: (c) => c.http.metricsHost, gives: '::1', refused: 'a b' },
  MCP: { value: 'off', read: (c) => c.http.servesMcp, gives: false, refused: 'false' },
  TRUST_PROXY: {
    value: '2',
    read: (c) => c.http.trustedProxies,
    gives: { hops: 2 },
    refused: '11',
  },
  HSTS_SUBDOMAINS: {
    value: 'false',
    read: (c) => c.http.hstsIncludesSubdomains,
    gives: false,
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
  DOCUMENT_CHECKS: {
    value: 'error',
    read: (c) => c.database.documentChecks,
    gives: 'error',
    refused: 'off',
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
  MODELS_FILE: {
    value: file('models.json', '{ "models": { "beta-3.0": { "display_name": "Beta" } } }'),
    read: (c) => c.catalogue.catalogue.models.find(({ id }) => id === 'beta-3.0')?.displayName,
    gives: 'Beta',
    refused: file('wrongModels.json', '{ "models": { "beta-3.0": { "displayname": "Beta" } } }'),
  },
  BRAND_FILE: {
    value: file('brand.json', '{ "name": "Aurora" }'),
    read: (c) => [c.brand.name, c.mail.from],
    gives: ['Aurora', 'Aurora <no-reply@127.0.0.1>'],
    refused: file('wrongBrand.json', '{ "nam": "Aurora" }'),
  },
  PRICES_FILE: {
    value: file('prices.json', '{ "alpha-2.0-pro": { "720p": 15 } }'),
    read: (c) =>
      c.catalogue.catalogue.models.flatMap((model) =>
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
} satisfies Partial<Record<Name, Case>>;
