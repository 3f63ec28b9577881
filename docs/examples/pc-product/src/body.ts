import type { IncomingMessage } from 'node:http';

const maxLength = 100_000;

/** The raw body of a request as text: the signature covers these exact bytes. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxLength) {
      throw Object.assign(new Error('Too large.'), { status: 413, expose: true });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Fields of a submitted form. */
export async function formOf(request: IncomingMessage): Promise<(name: string) => string> {
  const fields = new URLSearchParams(await bodyOf(request));
  return (name) => fields.get(name) ?? '';
}
