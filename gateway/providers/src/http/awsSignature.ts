import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { PresentKey } from '../ownRequests.ts';
import type { Auth } from './description.ts';

type AwsAuth = Extract<Auth, { type: 'aws-sigv4' }>;

/** SHA-256, or its HMAC with a secret, in the form that the signer needs. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash | typeof createHmac>;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : Buffer.from(bytesOf(secret)));
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): never {
    throw new Error('a digest is made once');
  }
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

/**
 * Signs requests by AWS Signature Version 4, over the method, the URL, all headers and the body.
 * @param key `access key id:secret access key`.
 * @param now The time in ms.
 */
export function signedByAws(
  { service, region }: AwsAuth,
  key: string,
  now: () => number,
): PresentKey {
  const [accessKeyId = '', ...rest] = key.split(':');
  const credentials = { accessKeyId, secretAccessKey: rest.join(':') };
  const isS3 = service === 's3';
  return async ({ method, url, headers, body }) => {
    const signer = new SignatureV4({
      service,
      region,
      credentials,
      sha256: Sha256,
      // S3 alone signs paths as they are, and needs the body's digest in a header.
      uriEscapePath: !isS3,
      applyChecksum: isS3,
    });
    const { protocol, hostname, host, pathname, searchParams } = new URL(url);
    const query = Object.fromEntries(
      [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]),
    );
    const signed = await signer.sign(
      {
        method,
        protocol,
        hostname,
        path: pathname,
        query,
        headers: { ...Object.fromEntries(headers), host },
        ...(body && { body }),
      },
      { signingDate: new Date(now()) },
    );
    // The connection sets the host itself.
    const own = Object.entries(signed.headers).filter(([name]) => name !== 'host');
    return { url, headers: Object.fromEntries(own) };
  };
}
