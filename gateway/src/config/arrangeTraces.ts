import type { Values } from './settings.ts';

/** Where traces go, and which. */
export interface TraceConfig {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  attributes: Readonly<Record<string, string>>;
  sampler: string;
  ratio: number;
}

/** What the settings say about traces; null where they ask for none. */
export function arrangeTraces(values: Values): TraceConfig | null {
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
