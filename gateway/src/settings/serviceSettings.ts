import type { TraceSettings } from '../domain/network/traceContext.ts';
import {
  choice,
  commaSeparated,
  flag,
  parseConnectionUrl,
  parsedSetting,
  type ParsedValues,
  parsePublicUrl,
  pathSetting,
  textSetting,
} from './setting.ts';

/** The database, and the folder of the installation. */
export const databaseSettings = {
  MONGODB_URI: parsedSetting(
    {
      fallbackText: 'an embedded server in `DATA_DIR`',
      allowed: 'a connection string that starts with mongodb:// or mongodb+srv://',
      isSecret: true,
      meaning: 'The database: a MongoDB replica set, 6.0 or newer.',
    },
    parseConnectionUrl(['mongodb', 'mongodb+srv']),
  ),
  DOCUMENT_CHECKS: choice({
    of: ['warn', 'error'],
    fallback: 'warn',
    meaning:
      'Whether MongoDB logs (`warn`) or refuses (`error`) documents that do not match their schema; takes effect with the next `admin database migrate`.',
  }),
  DATA_DIR: pathSetting({
    fallback: '.framegate',
    meaning:
      'The data folder of this installation: embedded database, generated secrets, files of the disk store. Processes with the same folder share its database.',
  }),
  PROVIDERS_DIR: pathSetting({
    fallbackText: 'the packages next to the gateway',
    meaning:
      "Folder with its own package.json and node_modules, where provider packages are looked up before the gateway's own: `npm install --prefix <folder> <package>`.",
  }),
  MONGOD: pathSetting({
    fallbackText: '`mongod` on PATH, else a download',
    meaning: 'The mongod program for the embedded database.',
  }),
  CACHE_DIR: pathSetting({
    fallbackText: "the user's cache folder, or `DATA_DIR/cache` if that is not writable",
    meaning: 'The folder for downloaded programs, shared by all data folders.',
  }),
};

/** Settings of email. */
export const mailSettings = {
  SMTP_URL: parsedSetting(
    {
      fallbackText: 'emails are written to `DATA_DIR/mails`, and the log contains the link in each',
      allowed: 'a URL that starts with smtp:// or smtps://',
      isSecret: true,
      meaning: 'The SMTP server, with user and password if required.',
    },
    parseConnectionUrl(['smtp', 'smtps']),
  ),
  MAIL_FROM: textSetting({
    fallbackText: '`no-reply@` the host of `ACCOUNT_URL`',
    allowed: 'an address, or a name with an address in <>',
    pattern: /^[^\r\n]*[^\s<>@]@[^\s<>@]+>?$/,
    meaning: 'The sender of emails.',
  }),
};

const pairsForm = 'key=value,key=value…, with percent-encoded values';

/** Settings of traces, under OpenTelemetry's standard names. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: parsedSetting(
    {
      fallbackText: 'no traces',
      allowed: 'an http or https URL',
      meaning:
        'The OpenTelemetry collector for traces: OTLP over HTTP with JSON, at its path `/v1/traces`, such as `http://127.0.0.1:4318`. It needs packages (docs/operating/monitoring.md#traces).',
    },
    parsePublicUrl,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: parsedSetting(
    {
      fallbackText: 'none',
      allowed: pairsForm,
      isSecret: true,
      meaning: 'Headers for the collector, such as a key.',
    },
    parsePairs,
  ),
  OTEL_TRACES_EXPORTER: choice({
    of: ['otlp', 'none'],
    fallbackText: '`otlp` if an endpoint is set',
    meaning: 'Without an endpoint, `otlp` sends to `http://localhost:4318`; `none` sends nothing.',
  }),
  OTEL_SDK_DISABLED: flag({ fallback: 'false', meaning: 'Turns traces off.' }),
  OTEL_SERVICE_NAME: textSetting({
    fallback: 'framegate',
    allowed: 'a name of at most 200 characters',
    pattern: /^.{1,200}$/,
    meaning: 'The service name in traces.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: parsedSetting(
    {
      fallbackText: 'none',
      allowed: pairsForm,
      meaning: 'Additional attributes of the process in traces.',
    },
    parsePairs,
  ),
  OTEL_TRACES_SAMPLER: choice({
    of: [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ],
    fallback: 'parentbased_always_on',
    meaning: "Which traces are kept; `parentbased_` ones follow the client's decision.",
  }),
  OTEL_TRACES_SAMPLER_ARG: textSetting({
    fallback: '1',
    allowed: 'a number from 0 to 1',
    pattern: /^(0|1|0?\.\d+|[01]\.0+)$/,
    meaning: 'The share kept by the ratio samplers.',
  }),
};

/** Parses pairs in the notation of W3C Baggage. @throws Error naming the first invalid one by its position. */
function parsePairs(list: string): Readonly<Record<string, string>> {
  const pairs = commaSeparated(list).map((item, index) => {
    const [, key = '', value = ''] = /^([^=\s]+)\s*=(.*)$/s.exec(item) ?? [];
    if (key === '') throw new Error(`item ${index + 1} is not key=value`);
    try {
      return [key, decodeURIComponent(value.trim())] as const;
    } catch {
      throw new Error(`the value of item ${index + 1} is not percent-encoded`);
    }
  });
  return Object.fromEntries(pairs);
}

/** The configured traces, or null. */
export function arrangeTraces(values: ParsedValues<typeof traceSettings>): TraceSettings | null {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = values.OTEL_TRACES_EXPORTER ?? (endpoint === null ? 'none' : 'otlp');
  if (values.OTEL_SDK_DISABLED || exporter === 'none') return null;
  return {
    endpoint: endpoint ?? 'http://localhost:4318',
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    attributes: {
      ...values.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': values.OTEL_SERVICE_NAME,
    },
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: Number(values.OTEL_TRACES_SAMPLER_ARG),
  };
}
