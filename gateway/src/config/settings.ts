import { parseDeadline } from './parseDeadline.ts';
import { parseHostOverrides, parseHostRules } from './parseHosts.ts';
import { parseProxies } from './parseProxies.ts';
import { parseSecrets } from './parseSecrets.ts';
import { parseBaseUrl, parseConnectionUrl, parsePublicUrl } from './parseUrl.ts';
import { choice, flag, parsed, path, text, wholeNumber } from './setting.ts';

const port = { min: 1, max: 65_535 };
const hostName = { allowed: 'an IP address or a host name', pattern: /^[A-Za-z0-9.:_-]{1,253}$/ };
const secretList = {
  allowed: 'version:secret,version:secret… with secrets of at least 32 characters and no comma',
  fallbackText: 'generated into `DATA_DIR` in development',
  secret: true,
} as const;
const deadline = { unit: 'seconds', allowed: 'seconds or seconds,model=seconds,…' } as const;
const rotated = 'The first one makes, all of them verify.';

/** Every setting, in the order in which docs/operating.md and .env.example list them. */
export const settings = {
  MODE: choice({
    of: ['development', 'production'],
    fallback: 'development',
    meaning:
      'What may be missing: `production` refuses to start on whatever is only good for trying out.',
  }),
  ROLE: choice({
    of: ['all', 'api', 'worker'],
    fallback: 'all',
    meaning: 'What this process does: answer requests, work on generations, or both.',
  }),
  HOST: text({
    fallback: '127.0.0.1',
    ...hostName,
    meaning: 'The address to listen on; `0.0.0.0` or `::` for all.',
  }),
  PORT: wholeNumber({ ...port, fallback: '8080', meaning: 'The port to listen on.' }),
  METRICS_PORT: wholeNumber({
    ...port,
    meaning: 'The port of the Prometheus metrics, on `METRICS_HOST`; none when it is not set.',
  }),
  METRICS_HOST: text({
    fallback: '127.0.0.1',
    ...hostName,
    meaning:
      'The address that the metrics listen on. They name providers and ask for no password: never the open net.',
  }),
  BASE_URL: parsed(
    {
      fallbackText: '`http://HOST:PORT/v1`',
      allowed: 'an http or https URL that ends in /v1',
      meaning: 'The public address of the API, as customers write it.',
    },
    parseBaseUrl,
  ),
  ACCOUNT_URL: parsed(
    {
      fallbackText: '`BASE_URL` without `/v1`',
      allowed: 'an http or https URL',
      meaning: 'The public address of the account site and the staff console.',
    },
    parsePublicUrl,
  ),
  MEDIA_URL: parsed(
    {
      fallbackText: '`ACCOUNT_URL/media`',
      allowed: 'an http or https URL',
      meaning: 'The public address of finished files; in production give them a host of their own.',
    },
    parsePublicUrl,
  ),
  TRUST_PROXY: parsed(
    {
      fallback: '0',
      allowed: 'a whole number from 0 to 10, or address,range/bits,…',
      meaning:
        'Proxies in front that are ours: their addresses and CIDR ranges, such as `10.0.0.0/8,::1`, or how many they are. Only their `X-Forwarded-*` headers are believed.',
    },
    parseProxies,
  ),
  HSTS_SUBDOMAINS: flag({
    fallback: 'false',
    meaning: 'Has browsers come by https alone to all subdomains of the public hosts, too.',
  }),
  LOG_LEVEL: choice({
    of: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
    meaning: 'The least important messages that are logged.',
  }),

  MONGODB_URI: parsed(
    {
      fallbackText: 'an embedded server in `DATA_DIR`',
      allowed: 'a connection string that starts with mongodb:// or mongodb+srv://',
      secret: true,
      meaning: 'The database: a MongoDB replica set, 6.0 or newer.',
    },
    parseConnectionUrl(['mongodb', 'mongodb+srv']),
  ),
  DATA_DIR: path({
    fallback: '.framegate',
    meaning:
      'The folder of this installation: embedded database, generated secrets, files of the disk store. Processes with the same folder share its database.',
  }),
  MONGOD: path({
    fallbackText: '`mongod` on PATH, else a download',
    meaning: 'The mongod program for the embedded database.',
  }),
  CACHE_DIR: path({
    fallbackText: "the user's cache folder",
    meaning: 'Where downloaded programs are kept, shared by all data folders.',
  }),

  KEY_PEPPERS: parsed(
    { ...secretList, meaning: `Secrets under which API keys are hashed. ${rotated}` },
    parseSecrets,
  ),
  MEDIA_SIGNING_KEYS: parsed(
    { ...secretList, meaning: `Secrets that sign the addresses of files. ${rotated}` },
    parseSecrets,
  ),
  SESSION_KEYS: parsed(
    { ...secretList, meaning: `Secrets that sign the site's cookies and links. ${rotated}` },
    parseSecrets,
  ),

  ROUTES_FILE: path({
    fallbackText: 'the preview renderer makes every model',
    meaning: 'Who makes what: providers and routes, as JSON (docs/providers.md).',
  }),
  PRICES_FILE: path({
    fallbackText: "the catalogue's prices",
    meaning: 'Prices in credits, as JSON: `{ "<model>": { "<resolution>": credits } }`.',
  }),
  LIMITS_FILE: path({
    fallbackText: 'the built-in limits',
    meaning:
      'Limits of an account without its own, as JSON: `creates_per_minute`, `burst`, `running`, `waiting`, `status_reads_per_minute`, `other_reads_per_minute`.',
  }),
  SAFETY_FILE: path({
    fallbackText: 'no rules',
    meaning:
      'Words and patterns that a prompt may not hold, as JSON: `{ "rules": [{ "name", "words", "patterns" }] }`.',
  }),

  WAITING_DEADLINE_SECONDS: parsed(
    {
      ...deadline,
      fallback: '21600',
      meaning:
        'How long a generation may wait to be given to a provider; then it fails and is refunded.',
    },
    parseDeadline(['video', 'image']),
  ),
  VIDEO_DEADLINE_SECONDS: parsed(
    {
      ...deadline,
      fallback: '3600',
      meaning: 'How long a video may run at a provider; then it fails and is refunded.',
    },
    parseDeadline(['video']),
  ),
  IMAGE_DEADLINE_SECONDS: parsed(
    {
      ...deadline,
      fallback: '600',
      meaning: 'How long images may run at a provider; then they fail and are refunded.',
    },
    parseDeadline(['image']),
  ),
  IDEMPOTENCY_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 31_536_000,
    fallback: '604800',
    unit: 'seconds',
    meaning:
      'How long an Idempotency-Key answers the generation that it made, however long its files are kept. Customers are promised 7 days: a shorter time charges late repeats twice.',
  }),
  STOP_GRACE_SECONDS: wholeNumber({
    min: 1,
    max: 3_600,
    fallback: '200',
    unit: 'seconds',
    meaning:
      'How long work under way may still take after SIGTERM: an image call takes 180 seconds at most and cannot be taken up by another process. The orchestrator has to wait longer before it kills.',
  }),
  OUTPUTS_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 31_536_000,
    fallback: '604800',
    unit: 'seconds',
    meaning: 'How long finished files are kept; Idempotency-Keys have a time of their own.',
  }),
  PROMPTS_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 315_360_000,
    fallback: '2592000',
    unit: 'seconds',
    meaning: 'How long prompts and the addresses of inputs are kept after the end of a generation.',
  }),
  AUDIT_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 946_080_000,
    fallback: '94608000',
    unit: 'seconds',
    meaning: 'How long audit records of real-person mode are kept.',
  }),

  SIGNUP_CREDITS: wholeNumber({
    min: 0,
    max: 1_000_000_000,
    fallback: '0',
    unit: 'credits',
    meaning: 'Promotional credits of a new account once its address is verified.',
  }),
  SUPPORT_CREDITS_PER_DAY: wholeNumber({
    min: 0,
    max: 1_000_000_000,
    fallback: '3000',
    unit: 'credits',
    meaning:
      'Credits that one member of support may move in a day (UTC), 1,000 at once: goodwill, and adjustments of unknown outcomes.',
  }),
  SECOND_PERSON_CREDITS: wholeNumber({
    min: 0,
    max: 1_000_000_000_000,
    fallback: '100000',
    unit: 'credits',
    meaning:
      'Grants and adjustments of more credits than this wait in the console for a second admin, as erasing an account always does.',
  }),
  AUTO_APPROVED_HOSTS: parsed(
    {
      allowed: 'host,*.suffix,…',
      fallbackText: 'none: staff approve each host',
      meaning: 'Input hosts that work for a key as soon as its owner asks for them.',
    },
    parseHostRules,
  ),
  INPUT_HOST_OVERRIDES: parsed(
    {
      allowed: 'host=ip:port,…',
      fallbackText: 'none',
      meaning:
        'For tests: inputs of these hosts are fetched from there without the address check; TLS is still verified. Refused in production.',
    },
    parseHostOverrides,
  ),

  MEDIA_STORE: choice({
    of: ['disk', 's3'],
    fallback: 'disk',
    meaning: 'Where files are kept: `DATA_DIR/media`, or a bucket.',
  }),
  S3_BUCKET: text({
    allowed: 'a bucket name',
    pattern: /^[A-Za-z0-9._-]{3,255}$/,
    meaning: 'The bucket. Needed with `MEDIA_STORE=s3`.',
  }),
  S3_REGION: text({
    fallback: 'us-east-1',
    allowed: 'a region name',
    pattern: /^[a-z0-9-]{1,64}$/,
    meaning: "The bucket's region.",
  }),
  S3_ENDPOINT: parsed(
    {
      fallbackText: "AWS's own",
      allowed: 'an http or https URL',
      meaning: 'The address of another S3-compatible store.',
    },
    parsePublicUrl,
  ),
  S3_PREFIX: text({
    allowed: 'a path without a leading slash',
    pattern: /^[A-Za-z0-9!_.*'()-][A-Za-z0-9!_.*'()/-]{0,254}$/,
    fallbackText: 'none',
    meaning: 'A folder in the bucket.',
  }),
  S3_ACCESS_KEY_ID: text({
    allowed: 'an access key id',
    pattern: /^\S{1,256}$/,
    fallbackText: "the AWS SDK's own search",
    meaning: 'Access key; together with `S3_SECRET_ACCESS_KEY`.',
  }),
  S3_SECRET_ACCESS_KEY: text({
    ...{ allowed: 'a secret access key', pattern: /^\S{1,1024}$/, secret: true },
    meaning: 'Its secret.',
  }),
  S3_FORCE_PATH_STYLE: flag({
    fallback: 'false',
    meaning: 'Puts the bucket into the path instead of the host name.',
  }),

  SMTP_URL: parsed(
    {
      fallbackText: 'mails become files in `DATA_DIR/mails`, and the log names the page of each',
      allowed: 'a URL that starts with smtp:// or smtps://',
      secret: true,
      meaning: 'The mail server, with user and password where it wants them.',
    },
    parseConnectionUrl(['smtp', 'smtps']),
  ),
  MAIL_FROM: text({
    fallbackText: '`no-reply@` the host of `ACCOUNT_URL`',
    allowed: 'an address, or a name with an address in <>',
    pattern: /^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/,
    meaning: 'The sender of mails.',
  }),
};
