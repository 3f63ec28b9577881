import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { withoutEndSlashes } from '@framegate/contract';
import { type MediaStore, requireMediaKey, type StoredFile } from './mediaStore.ts';
import { type StallLimit, untilStalled, withStallLimit } from './stallLimit.ts';
import { receiveData, withTempFile } from './tempFiles.ts';

/** Location of the bucket and access to it. */
export interface S3StoreOptions {
  bucket: string;
  region: string;
  /** Null for AWS's own. */
  endpoint: string | null;
  /** A folder in the bucket. */
  prefix: string | null;
  /** Null for the AWS SDK's own search. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Puts the bucket in the path instead of the host name. */
  forcePathStyle: boolean;
}

/** Limits that keep one kind of work from delaying the others. */
export interface S3StoreLimits {
  /** A call or transfer without progress is aborted after this time, in ms. */
  stallMs: number;
  /** Connections for reading files. */
  maxReaders: number;
  /** Connections for storing and deleting files. */
  maxWriters: number;
}

const defaultLimits: S3StoreLimits = { stallMs: 30_000, maxReaders: 200, maxWriters: 50 };

/** A media store in a bucket, with its connections. */
export interface S3Store extends MediaStore {
  close(): void;
}

/** Metadata field for the hash of a file's bytes, since the server's own ETag may not be one. */
const hashName = 'sha256';

/**
 * The media store in an S3 bucket (AWS SDK v3, any compatible server). A file is first received into `tempFolder`,
 * limited and hashed, and then sent in one request with its length and checksum: the bucket has all of it or none, and
 * nothing is sent from a source that breaks off.
 */
export function createS3Store(
  options: S3StoreOptions,
  tempFolder: string,
  { stallMs, maxReaders, maxWriters }: S3StoreLimits = defaultLimits,
): S3Store {
  const { bucket, prefix } = options;
  // Slow readers must not occupy the connections for storing results.
  const reading = openClient(options, maxReaders);
  const writing = openClient(options, maxWriters);
  const folder = prefix === null ? '' : `${withoutEndSlashes(prefix)}/`;
  const locationOf = (key: string) => ({ Bucket: bucket, Key: folder + requireMediaKey(key) });

  return {
    put: async (key, data, { contentType, maxBytes, signal }) => {
      const target = locationOf(key);
      return withStallLimit(stallMs, signal, (limit) =>
        withTempFile(tempFolder, async (path) => {
          const received = await receiveData(path, data, { maxBytes, ...limit });
          await sendFile(path, limit, (body) =>
            writing.send(
              new PutObjectCommand({
                ...target,
                Body: body,
                ContentLength: received.bytes,
                ContentType: contentType,
                Metadata: { [hashName]: received.sha256 },
              }),
              { abortSignal: limit.signal },
            ),
          );
          return received;
        }),
      );
    },
    open: async (key, range) => {
      const command = new GetObjectCommand({
        ...locationOf(key),
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      });
      const object = await withStallLimit(stallMs, undefined, ({ signal }) =>
        catchMissing(reading.send(command, { abortSignal: signal })),
      );
      if (!object) return null;
      if (!(object.Body instanceof Readable)) throw new Error(`no bytes of ${key}`);
      const stream = untilStalled(object.Body, stallMs);
      // `bytes 0-9/100`: the size of the whole.
      const whole = /\/(\d+)$/.exec(object.ContentRange ?? '')?.[1];
      const bytes = whole === undefined ? object.ContentLength : Number(whole);
      return { stream, ...describe(key, { ...object, ContentLength: bytes }) };
    },
    stat: (key) =>
      withStallLimit(stallMs, undefined, async ({ signal }) => {
        const command = new HeadObjectCommand(locationOf(key));
        const object = await catchMissing(reading.send(command, { abortSignal: signal }));
        return object && describe(key, object);
      }),
    delete: (key) =>
      withStallLimit(stallMs, undefined, async ({ signal }) => {
        await catchMissing(
          writing.send(new DeleteObjectCommand(locationOf(key)), { abortSignal: signal }),
        );
      }),
    close: () => {
      reading.destroy();
      writing.destroy();
    },
  };
}

const ignore = () => undefined;

/** A client with limited connections; further requests wait. */
function openClient(
  { region, endpoint, credentials, forcePathStyle }: S3StoreOptions,
  maxSockets: number,
): S3Client {
  const agent = { keepAlive: true, maxSockets };
  return new S3Client({
    region,
    forcePathStyle,
    requestHandler: { httpAgent: agent, httpsAgent: agent },
    // Errors are thrown; the SDK would also print them.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...(endpoint !== null && { endpoint }),
    // A copy, because the SDK modifies it and settings are frozen.
    ...(credentials && { credentials: { ...credentials } }),
    // Many compatible servers do not know the newer whole-body checksums; the payload is signed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Interval of checking the progress of a sent file, in ms. */
const watchMs = 250;

/** Sends a file's bytes; each byte read counts as progress. */
async function sendFile(
  path: string,
  limit: StallLimit,
  send: (body: Readable) => Promise<unknown>,
): Promise<void> {
  const body = createReadStream(path);
  let sent = 0;
  const watch = setInterval(() => {
    if (body.bytesRead > sent) limit.recordProgress();
    sent = body.bytesRead;
  }, watchMs);
  try {
    limit.recordProgress();
    await send(body);
  } finally {
    clearInterval(watch);
    body.destroy();
  }
}

/** Null if the server reports that the file does not exist; a missing bucket is an error. */
async function catchMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    const isMissing =
      error instanceof S3ServiceException &&
      (error.name === 'NoSuchKey' || (error.name === 'NotFound' && isHead(error)));
    if (isMissing) return null;
    throw error;
  }
}

/** The response to HEAD has no body with a reason. */
const isHead = ({ $metadata }: S3ServiceException) => $metadata.httpStatusCode === 404;

function describe(
  key: string,
  object: {
    ContentLength?: number | undefined;
    ContentType?: string | undefined;
    Metadata?: Record<string, string> | undefined;
  },
): StoredFile {
  const { ContentLength: bytes, ContentType: contentType, Metadata: metadata = {} } = object;
  const etag = metadata[hashName]?.slice(0, 32);
  if (bytes === undefined || contentType === undefined || etag === undefined) {
    throw new Error(`${key} was not put there by this store`);
  }
  return { bytes, contentType, etag };
}
