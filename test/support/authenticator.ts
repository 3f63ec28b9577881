import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A page's request to the browser, as JSON. */
export interface Asked {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
}

/** The deviation of a response. */
export interface Twist {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  counter?: number;
  /** The id of another credential. */
  id?: string;
}

/** A passkey in software (WebAuthn level 2, ES256, without attestation). */
export interface Authenticator {
  id: string;
  /** The public key (COSE), in base64url. */
  publicKey: string;
  /** Answers `navigator.credentials.create` at an origin, as JSON. */
  make(asked: Asked, origin: string, twist?: Twist): string;
  /** Answers `navigator.credentials.get`. Like most, it does not count unless it is told to. */
  use(asked: Asked, origin: string, twist?: Twist): string;
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** Encodes the part of CBOR that a passkey needs (RFC 8949). */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (type: number, size: number) => {
    if (size < 24) return Buffer.from([(type << 5) | size]);
    return size < 256
      ? Buffer.from([(type << 5) | 24, size])
      : Buffer.from([(type << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([name, each]) => [cbor(name), cbor(each as number)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

/** Makes a passkey that no site knows yet. */
export function makeAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = cbor(
    new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
  const id = randomBytes(32);
  const proofFor = (type: string, asked: Asked, origin: string, twist: Twist) => {
    const site = twist.rpId ?? asked.rpId ?? asked.rp?.id ?? '';
    const count = Buffer.alloc(4);
    count.writeUInt32BE(twist.counter ?? 0);
    const isNew = type === 'webauthn.create';
    const flags = 1 | (twist.isVerified === false ? 0 : 4) | (isNew ? 64 : 0);
    const size = Buffer.from([0, id.length]);
    const added = isNew ? [Buffer.alloc(16), size, id, key] : [];
    const authenticatorData = Buffer.concat([sha256(site), Buffer.from([flags]), count, ...added]);
    const clientData = JSON.stringify({
      type,
      challenge: asked.challenge,
      origin: twist.origin ?? origin,
      crossOrigin: false,
    });
    return { authenticatorData, clientData: Buffer.from(clientData) };
  };
  const written = (response: object, named = base64url(id)) =>
    JSON.stringify({
      id: named,
      rawId: named,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    id: base64url(id),
    publicKey: base64url(key),
    make(asked, origin, twist = {}) {
      const { authenticatorData, clientData } = proofFor('webauthn.create', asked, origin, twist);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData],
      ]);
      return written({
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(cbor(attestation)),
      });
    },
    use(asked, origin, twist = {}) {
      const { authenticatorData, clientData } = proofFor('webauthn.get', asked, origin, twist);
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      const response = {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign('sha256', signed, privateKey)),
      };
      return written(response, twist.id);
    },
  };
}

/** The passkey options of a page's forms, by the path of the form. */
export function askedIn(html: string): Map<string, { ask: 'get' | 'create'; asked: Asked }> {
  const fields = html.matchAll(
    /name="passkey"[^>]*data-ask="(get|create)"[^>]*data-form="([^"]*)"[^>]*data-options="([^"]*)"/g,
  );
  return new Map(
    [...fields].map(([, ask, form = '', options = '']) => [
      form,
      {
        ask: ask as 'get' | 'create',
        asked: JSON.parse(options.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Asked,
      },
    ]),
  );
}
