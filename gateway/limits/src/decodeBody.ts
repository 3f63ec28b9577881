import { pipeline, Readable } from 'node:stream';
import {
  createBrotliDecompress,
  createInflateRaw,
  createUnzip,
  createZstdDecompress,
} from 'node:zlib';

/** Maximum nested content codings; only hostile responses have more. */
const maxCodings = 3;
/** Bytes by which the kind of a body is recognised. */
const headBytes = 12;

const decoders = {
  unzip: createUnzip,
  raw: createInflateRaw,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

/**
 * The bytes of a response without its content codings (RFC 9110, 8.4.1). The bytes decide: a coded body is decoded even
 * without a label, and a label on a plain body has no effect. Only brotli and raw deflate, which have no signature, are
 * recognised by their label, unless the bytes are those of a media file.
 * @param label The response's `Content-Encoding`.
 */
export function decodeBody(
  body: AsyncIterable<Uint8Array>,
  label: string | string[] | undefined,
): AsyncGenerator<Uint8Array> {
  const labels = String(label ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  return unpack(body, labels, maxCodings);
}

async function* unpack(
  body: AsyncIterable<Uint8Array>,
  labels: readonly string[],
  maxNested: number,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    const first: Uint8Array[] = [];
    let isOver = false;
    for (let bytes = 0; bytes < headBytes && !isOver;) {
      const step = await pieces.next();
      isOver = step.done === true;
      if (!step.done) {
        first.push(step.value);
        bytes += step.value.byteLength;
      }
    }
    const rest = { [Symbol.asyncIterator]: () => pieces };
    const all = pipeThrough(first, isOver ? [] : rest);
    const coding = maxNested > 0 ? codingOf(Buffer.concat(first), labels.at(-1) ?? '') : null;
    if (coding === null) {
      yield* all;
      return;
    }
    // The reader of the decoder receives the errors of both.
    const decoder = pipeline(Readable.from(all), decoders[coding](), () => undefined);
    yield* unpack(decoder as AsyncIterable<Uint8Array>, labels.slice(0, -1), maxNested - 1);
  } finally {
    void pieces.return?.().catch(() => undefined);
  }
}

async function* pipeThrough(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array> | []) {
  yield* first;
  yield* rest;
}

function codingOf(head: Buffer, label: string): keyof typeof decoders | null {
  if (head.length < 2) return null;
  if (head[0] === 0x1f && head[1] === 0x8b) return 'unzip';
  if (head.length >= 4 && head.readUInt32BE() === 0x28b52ffd) return 'zstd';
  if (looksLikeMedia(head)) return null;
  if (label === 'br') return 'br';
  // The zlib format (RFC 1950) has a checksum over its first two bytes.
  const isZlib = (head.readUInt8() & 0x0f) === 8 && head.readUInt16BE() % 31 === 0;
  return label === 'deflate' ? (isZlib ? 'unzip' : 'raw') : null;
}

/** Whether these first bytes are those of a picture, video or sound of a common kind. */
function looksLikeMedia(head: Buffer): boolean {
  const text = head.toString('latin1');
  return (
    /^.{4}(ftyp|styp|moov|mdat|free|skip|wide|pnot)/s.test(text) ||
    /^(\x89PNG|\xff\xd8\xff|RIFF|RF64|GIF8|\x1aE\xdf\xa3|OggS|fLaC|ID3|\xff[\xe0-\xff])/.test(text)
  );
}

/**
 * Whether a file's first bytes are text: a message in place of a file, such as "not ready" as JSON, or a page. SVG is
 * a picture.
 */
export function looksLikeText(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return (
    text.trim() !== '' &&
    !/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(text) &&
    !/<svg[\s>]/i.test(text)
  );
}
