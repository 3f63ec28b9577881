import { Readable } from 'node:stream';

/** The options of n8n's request helper that the node uses. */
export interface HttpOptions {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  encoding?: string;
  abortSignal?: AbortSignal;
}

/** n8n's request helper, with the options that the node uses: full responses, no error for a status. */
export async function sendAsN8n(options: HttpOptions) {
  const { method = 'GET', url, headers, body, encoding, abortSignal } = options;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: abortSignal ?? null,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const full = { statusCode: response.status, headers: Object.fromEntries(response.headers) };
  if (encoding === 'stream') {
    return { ...full, body: Readable.from(response.body ?? []) };
  }
  const text = await response.text();
  return { ...full, body: asJson(text) };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
