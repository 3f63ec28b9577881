import type { Experimental_VideoModelV4File as VideoFile } from '@ai-sdk/provider';
import pLimit from 'p-limit';
import type { Network } from './network.ts';
import { shortMessageOf } from './providerFailures.ts';
import type { ProviderInput } from './route.ts';

/** A file for a provider: our short-lived signed URL, or its bytes; never a customer's URL. */
export type InputFile =
  | { type: 'url'; url: string; mediaType: string }
  | { type: 'file'; data: Uint8Array; mediaType: string };

/** An input with the file to send to the provider. */
export interface PreparedInput extends Pick<ProviderInput, 'type' | 'role'> {
  file: InputFile;
}

/**
 * An input could not be read from our own store or is too large; nothing was sent. The routes catch it and
 * answer with a failed submission.
 */
export class InputUnreadableError extends Error {
  override readonly name = 'InputUnreadableError';
}

/** Maximum bytes of one request held in memory. */
const maxBytes = 64 * 1024 * 1024;

/** Requests whose inputs are in memory at a time. */
const inMemory = pLimit(3);

/**
 * Prepares the inputs and runs `work` with them. Pictures are sent as bytes to a provider that takes nothing
 * else or that could not reach our URLs (a gateway without a public address); everything else is sent as a URL.
 * Bytes are held for few requests at a time, until `work` ends.
 * @throws InputUnreadableError if an input cannot be read or the bytes are too many; errors of `work`.
 */
export async function withInputFiles<T>(
  inputs: readonly ProviderInput[],
  options: { takesBytesOnly: boolean; reachesPrivate: boolean; isNearHost: Network['isNearHost'] },
  work: (prepared: readonly PreparedInput[]) => Promise<T>,
): Promise<T> {
  const goesAsBytes = (input: ProviderInput) =>
    input.type === 'image' &&
    (options.takesBytesOnly || !(options.reachesPrivate || isPublicUrl(input.url(), options)));
  if (!inputs.some(goesAsBytes)) return work(inputs.map((each) => prepare(each, null)));
  return inMemory(async () => {
    let left = maxBytes;
    const prepared: PreparedInput[] = [];
    for (const input of inputs) {
      const bytes = goesAsBytes(input) ? await readInput(input) : null;
      left -= bytes?.byteLength ?? 0;
      if (left < 0) throw new InputUnreadableError(`more than ${maxBytes} bytes together`);
      prepared.push(prepare(input, bytes));
    }
    return work(prepared);
  });
}

async function readInput(input: ProviderInput): Promise<Uint8Array> {
  try {
    return await input.read();
  } catch (error) {
    throw new InputUnreadableError(shortMessageOf(error), { cause: error });
  }
}

/** @param data Its bytes, or null for its URL. */
function prepare(input: ProviderInput, data: Uint8Array | null): PreparedInput {
  const { type, role, mediaType } = input;
  const file: InputFile = data
    ? { type: 'file', data, mediaType }
    : { type: 'url', url: input.url(), mediaType };
  return { type, role, file };
}

/** Whether this URL of ours is reachable from the internet. */
function isPublicUrl(text: string, { isNearHost }: Pick<Network, 'isNearHost'>): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && !isNearHost(url.hostname);
}

/** A file as text: its URL, or its bytes as a data URI (RFC 2397). */
export function fileValue(file: VideoFile): string {
  if (file.type === 'url') return file.url;
  const { data, mediaType } = file;
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64');
  return `data:${mediaType};base64,${base64}`;
}

/** The kind of a file, by its media type. */
export function kindOf({ mediaType }: { mediaType?: string | undefined }) {
  const [kind] = (mediaType ?? '').split('/');
  return kind === 'video' || kind === 'audio' ? kind : 'image';
}
