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
import type { MediaStore, StoredFile } from '../../application/ports/mediaStore.ts';
import { requireMediaKey } from './mediaKeys.ts';
import { receiveFile } from './receiveFile.ts';
import { withTempFile } from './tempFile.ts';

/** Where the bucket is and how it is reached. */
export interface S3StoreOptions {
  bucket: string;
  region: string;
  /** Null: AWS's own. */
  endpoint: string | null;
  /** A folder in the bucket. */
  prefix: string | null;
  /** Null: the AWS SDK's own search. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Puts the bucket into the path instead of the host name. */
  forcePathStyle: boolean;
}

/** A media store in a bucket, with its connections. */
export interface S3Store extends MediaStore {
  close(): void;
}

/** Where the hash of a file's bytes stands in its metadata; the server's own ETag need not be one. */
const hashName = 'sha256';

/**
 * The media store in an S3 bucket (AWS SDK v3, any compatible server). A file is received into
 * `tempFolder` first, bounded and hashed, and then sent in one request with its length and checksum:
 * the bucket has it as a whole or not at all, and nothing is sent of a source that breaks.
 */
export function createS3Store(options: S3StoreOptions, tempFolder: string): S3Store {
  const { bucket, region, endpoint, prefix, credentials, forcePathStyle } = options;
  const client = new S3Client({
    ...{ region, forcePathStyle },
    ...(endpoint !== null && { endpoint }),
    // A copy: the SDK writes into it, and settings are frozen.
    ...(credentials && { credentials: { ...credentials } }),
    // The newer whole-body checksums are unknown to many compatible servers; the payload is signed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const folder = prefix === null ? '' : `${prefix.replace(/\/+$/, '')}/`;
  const at = (key: string) => ({ Bucket: bucket, Key: folder + requireMediaKey(key) });

  return {
    put: async (key, data, { contentType, maxBytes, signal }) => {
      const target = at(key);
      return withTempFile(tempFolder, async (path) => {
        const received = await receiveFile(path, data, { maxBytes, signal });
        const body = createReadStream(path);
        try {
          await client.send(
            new PutObjectCommand({
              ...target,
              ...{ Body: body, ContentLength: received.bytes, ContentType: contentType },
              Metadata: { [hashName]: received.sha256 },
            }),
            signal ? { abortSignal: signal } : {},
          );
        } finally {
          body.destroy();
        }
        return received;
      });
    },
    open: async (key, range) => {
      const found = await orNull(
        client.send(
          new GetObjectCommand({
            ...at(key),
            ...(range && { Range: `bytes=${String(range.start)}-${String(range.end)}` }),
          }),
        ),
      );
      if (!found) return null;
      if (!(found.Body instanceof Readable)) throw new Error(`no bytes of ${key}`);
      // `bytes 0-9/100`: the size of the whole.
      const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
      const bytes = whole === undefined ? found.ContentLength : Number(whole);
      return { stream: found.Body, ...describe(key, { ...found, ContentLength: bytes }) };
    },
    stat: async (key) => {
      const found = await orNull(client.send(new HeadObjectCommand(at(key))));
      return found && describe(key, found);
    },
    delete: async (key) => {
      await orNull(client.send(new DeleteObjectCommand(at(key))));
    },
    close: () => {
      client.destroy();
    },
  };
}

/** Null where the server says that there is no such file; a missing bucket is an error. */
async function orNull<T>(request: Promise<T>): Promise<T | null> {
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

/** The answer to HEAD has no body to name a reason in. */
const isHead = ({ $metadata }: S3ServiceException) => $metadata.httpStatusCode === 404;

function describe(
  key: string,
  found: {
    ContentLength?: number | undefined;
    ContentType?: string | undefined;
    Metadata?: Record<string, string> | undefined;
  },
): StoredFile {
  const { ContentLength: bytes, ContentType: contentType, Metadata: metadata = {} } = found;
  const etag = metadata[hashName]?.slice(0, 32);
  if (bytes === undefined || contentType === undefined || etag === undefined) {
    throw new Error(`${key} was not put there by this store`);
  }
  return { bytes, contentType, etag };
}
