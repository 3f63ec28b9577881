import { buffer } from 'node:stream/consumers';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GenerationRecord } from '@framegate/contract';
import { giveUpAfter } from '@framegate/limits';
import type { MediaStore } from '@framegate/media';
import { expectedFormat, outputExtension } from '../../domain/generations/mediaFiles.ts';
import { mediaKey } from '../../domain/generations/mediaUrl.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { headersOf, presentRefusal } from '../respondToErrors.ts';
import { inToolWords } from './toolWords.ts';

type ResultContent = CallToolResult['content'];

/** Size limits of inline images, in bytes: each, and all in one response. */
export const maxInline = { one: 1_000_000, all: 2_000_000 };

/** Time limit for reading an image, in ms; the link remains in any case. */
const readMs = 5_000;

/** A response as structured content and, for clients that show only text, as JSON text. */
export function objectResult(object: object, more: ResultContent = []): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(object) }, ...more],
    structuredContent: object,
  };
}

/**
 * A refusal for the model: the API's error in the tools' terms, with `retry_after_seconds` and, if a repeat
 * may succeed, the key of the call.
 */
export function refusalResult(
  refusal: Refusal,
  requestId: string,
  idempotencyKey?: string,
): CallToolResult {
  const { error } = presentRefusal(refusal, requestId);
  const after = headersOf(refusal)['Retry-After'];
  const toolError = {
    ...error,
    message: inToolWords(error.message),
    details: error.details.map((each) => ({ ...each, message: inToolWords(each.message) })),
    ...(after !== undefined && { retry_after_seconds: Number(after) }),
    ...(error.retryable && idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: toolError }) }] };
}

/** A generation with links to its files and with small images inline. */
export async function makeGenerationResult(
  record: GenerationRecord,
  store: Pick<MediaStore, 'open'>,
): Promise<CallToolResult> {
  const mimeType = expectedFormat(record);
  const extension = outputExtension(mimeType);
  const urls = record.output?.urls ?? [];
  const links = urls.map((uri, index) => ({
    type: 'resource_link' as const,
    uri,
    name: `${record.id}-${index + 1}.${extension}`,
    mimeType,
  }));
  if (record.type === 'video') return objectResult(record, links);
  const images: ResultContent = [];
  let left = maxInline.all;
  for (const index of urls.keys()) {
    const key = mediaKey('outputs', { generationId: record.id, index, extension });
    const file = readSmallFile(store, key, Math.min(left, maxInline.one));
    const bytes = await giveUpAfter(readMs, file).catch(() => null);
    if (bytes === null) continue;
    left -= bytes.length;
    images.push({ type: 'image', data: bytes.toString('base64'), mimeType });
  }
  return objectResult(record, [...links, ...images]);
}

/** Reads a file; null if it is missing or larger than `maxBytes`. */
async function readSmallFile(store: Pick<MediaStore, 'open'>, key: string, maxBytes: number) {
  const file = await store.open(key);
  if (file === null || file.bytes <= maxBytes) return file && buffer(file.stream);
  file.stream.destroy();
  return null;
}
