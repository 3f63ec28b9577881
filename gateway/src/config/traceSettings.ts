import { choice, commaSeparated, flag, parsed, parsePublicUrl, text } from './setting.ts';

const pairs = 'key=value,key=value…, with percent-encoded values';

/** Traces, by the names of OpenTelemetry's standard. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: parsed(
    {
      fallbackText: 'no traces',
      allowed: 'an http or https URL',
      meaning:
        'The OpenTelemetry collector that traces are sent to: OTLP over HTTP with JSON, at its path `/v1/traces`, such as `http://127.0.0.1:4318`. It needs packages (docs/operating.md#traces).',
    },
    parsePublicUrl,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: parsed(
    {
      fallbackText: 'none',
      allowed: pairs,
      secret: true,
      meaning: 'Headers for the collector, such as a key.',
    },
    parsePairs,
  ),
  OTEL_TRACES_EXPORTER: choice({
    of: ['otlp', 'none'],
    fallbackText: '`otlp` where an endpoint is named',
    meaning: '`otlp` alone sends to `http://localhost:4318`; `none` sends nothing.',
  }),
  OTEL_SDK_DISABLED: flag({ fallback: 'false', meaning: 'Switches traces off.' }),
  OTEL_SERVICE_NAME: text({
    fallback: 'framegate',
    allowed: 'a name of at most 200 characters',
    pattern: /^.{1,200}$/,
    meaning: 'The name that traces carry.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: parsed(
    { fallbackText: 'none', allowed: pairs, meaning: 'What traces say of the process, too.' },
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
    meaning: 'Which traces are kept; a `parentbased_` one does as the client has decided.',
  }),
  OTEL_TRACES_SAMPLER_ARG: text({
    fallback: '1',
    allowed: 'a number from 0 to 1',
    pattern: /^(0|1|0?\.\d+|[01]\.0+)$/,
    meaning: 'The share that the samplers by ratio keep.',
  }),
};

/** Reads pairs as W3C Baggage writes them. @throws Error that names the first wrong one by its place. */
function parsePairs(list: string): Readonly<Record<string, string>> {
  const found = commaSeparated(list).map((item, index) => {
    const [, key = '', value = ''] = /^([^=\s]+)\s*=\s*(.*)$/.exec(item) ?? [];
    if (key === '') throw new Error(`item ${index + 1} is not key=value`);
    try {
      return [key, decodeURIComponent(value)] as const;
    } catch {
      throw new Error(`the value of item ${index + 1} is not percent-encoded`);
    }
  });
  return Object.fromEntries(found);
}
