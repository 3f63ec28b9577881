import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { dayMs } from '@framegate/contract';

/** A certificate and its key, both PEM. */
export interface Identity {
  cert: string;
  key: string;
}

/** A certificate authority of one test run. */
export interface TlsAuthority {
  /** The authority's own certificate, PEM. */
  cert: string;
  issue(host: string): Identity;
  /** A certificate that signs content, unless specified otherwise. */
  issueForContent(name: string, wanted?: ContentCertificate): Identity;
}

/** How a certificate for signing content differs from the usual one. */
export interface ContentCertificate {
  keys?: { publicKey: KeyObject; privateKey: KeyObject };
  validFrom?: Date;
  validTo?: Date;
  /** The extended key usage, in hexadecimal; usually email. */
  use?: string;
  isAuthority?: boolean;
}

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length;
  const head =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, 'hex');
const oid = (text: string) => der(0x06, hex(text));
const time = (date: Date) =>
  der(0x17, Buffer.from(date.toISOString().replace(/^..|[-:T]|\.\d+/g, '')));
const commonName = (name: string) =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const extension = (id: string, value: Uint8Array, critical = false) =>
  sequence(oid(id), ...(critical ? [der(0x01, hex('ff'))] : []), der(0x04, value));
const pem = (data: Buffer) => {
  const lines = data.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
};
const emailProtection = '2b06010505070304';
const keyId = (key: KeyObject) =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

/** Builds an X.509 v3 certificate (RFC 5280) with an ECDSA signature, good from yesterday to tomorrow. */
function certify(of: {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  issuerKey: KeyObject;
  extensions: Buffer[];
  validFrom?: Date | undefined;
  validTo?: Date | undefined;
}): string {
  const serial = randomBytes(8);
  serial[0] = 1;
  const tbs = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, serial),
    ecdsaWithSha256,
    commonName(of.issuer),
    sequence(
      time(of.validFrom ?? new Date(Date.now() - dayMs)),
      time(of.validTo ?? new Date(Date.now() + dayMs)),
    ),
    commonName(of.subject),
    of.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...of.extensions)),
  );
  const signature = der(0x03, hex('00'), sign('sha256', tbs, of.issuerKey));
  return pem(sequence(tbs, ecdsaWithSha256, signature));
}

/** Makes an authority whose certificates are trusted only where its own is named. */
export function createTlsAuthority(name = 'Framegate test authority'): TlsAuthority {
  const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = newKeys();
  const isAuthority = extension('551d13', sequence(der(0x01, hex('ff'))), true);
  const signsCertificates = extension('551d0f', der(0x03, hex('0106')), true);
  const signsContent = extension('551d0f', der(0x03, hex('0780')), true);
  const noAuthority = extension('551d13', sequence(), true);
  return {
    cert: certify({
      subject: name,
      publicKey: own.publicKey,
      issuer: name,
      issuerKey: own.privateKey,
      extensions: [
        isAuthority,
        signsCertificates,
        extension('551d0e', der(0x04, keyId(own.publicKey))),
      ],
    }),
    issue: (host) => {
      const keys = newKeys();
      const names = extension('551d11', sequence(der(0x82, Buffer.from(host))));
      const { publicKey } = keys;
      return {
        cert: certify({
          subject: host,
          publicKey,
          issuer: name,
          issuerKey: own.privateKey,
          extensions: [names],
        }),
        key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
    issueForContent: (subject, { keys = newKeys(), ...wanted } = {}) => ({
      cert: certify({
        ...wanted,
        subject,
        publicKey: keys.publicKey,
        issuer: name,
        issuerKey: own.privateKey,
        extensions: [
          wanted.isAuthority ? isAuthority : noAuthority,
          wanted.isAuthority ? signsCertificates : signsContent,
          extension('551d25', sequence(oid(wanted.use ?? emailProtection))),
          extension('551d23', sequence(der(0x80, keyId(own.publicKey)))),
        ],
      }),
      key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }),
  };
}
