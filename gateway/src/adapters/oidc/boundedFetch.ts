import type { CustomFetch } from 'openid-client';

/** Maximum size of a provider's answer, in bytes: keys and tokens take a few kilobytes. */
const maxBytes = 1024 * 1024;

/** A fetch that reads whole answers up to a limit; redirects are not followed. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const { body, ...rest } = options;
  const response = await fetch(url, {
    ...rest,
    ...(body !== null && body !== undefined && { body }),
    redirect: 'manual',
  });
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > maxBytes) throw new Error(`an answer of ${url} has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
};
