import { type KeyObject, sign } from 'node:crypto';

/** Signs the manifests (C2PA) of results outside the children, which never see the key. */
export interface ManifestSigner {
  /** Name of the product that makes the files. */
  generator: string;
  /** C2PA's name for the algorithm. */
  algorithm: keyof typeof algorithms;
  /** Size of every signature in bytes. */
  signatureBytes: number;
  /** Signs a claim. @throws Error if the certificate is not valid now. */
  sign(claim: Uint8Array): Buffer;
}

/** The algorithms of manifests: their COSE numbers, and Node's names for their digests. */
const algorithms = {
  es256: { number: -7, digest: 'sha256' },
  es384: { number: -35, digest: 'sha384' },
  ps256: { number: -37, digest: 'sha256' },
  ed25519: { number: -8, digest: null },
} as const;

/** Labels in the protected header of COSE (RFC 9052, RFC 9360). */
const labels = { algorithm: 1, certificates: 33 };
/** `RSA_PKCS1_PSS_PADDING`, with a salt as long as the digest. */
const pss = { padding: 6, saltLength: 32 };

/**
 * Creates a signer. It makes a COSE_Sign1 with detached claim, and with the certificates in the protected header, as
 * required by C2PA.
 * @param identity.chain The certificates in DER, the key's own first.
 * @param findProblem Returns why the certificates are not valid now; null if they are.
 */
export function createManifestSigner(
  identity: Pick<ManifestSigner, 'generator' | 'algorithm'> & {
    chain: readonly Uint8Array[];
    key: KeyObject;
  },
  findProblem: () => string | null,
): ManifestSigner {
  const { generator, chain, key, algorithm } = identity;
  const { number, digest } = algorithms[algorithm];
  const encoded = chain.map(byteString);
  const header = Buffer.concat([
    head('map', 2),
    ...[head('unsigned', labels.algorithm), head('negative', -1 - number)],
    head('unsigned', labels.certificates),
    ...(encoded.length === 1 ? encoded : [head('array', encoded.length), ...encoded]),
  ]);
  const options = algorithm === 'ps256' ? pss : { dsaEncoding: 'ieee-p1363' as const };
  const signClaim = (claim: Uint8Array) => {
    const parts = [text('Signature1'), byteString(header), byteString(empty), byteString(claim)];
    const signature = sign(digest, Buffer.concat([head('array', 4), ...parts]), {
      key,
      ...options,
    });
    return Buffer.concat([
      head('tag', coseSign1),
      head('array', 4),
      ...[byteString(header), head('map', 0), nothing, byteString(signature)],
    ]);
  };
  return {
    generator,
    algorithm,
    signatureBytes: signClaim(empty).length,
    sign(claim) {
      const problem = findProblem();
      if (problem !== null) throw new Error(problem);
      return signClaim(claim);
    },
  };
}

const coseSign1 = 18;
const empty = Buffer.alloc(0);
/** `null` in CBOR. */
const nothing = Buffer.from([0xf6]);

/** Major types of CBOR (RFC 8949). */
const majorTypes = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 };

/** The head of a CBOR item. */
function head(type: keyof typeof majorTypes, value: number): Buffer {
  const major = majorTypes[type] << 5;
  if (value < 24) return Buffer.from([major | value]);
  if (value < 0x100) return Buffer.from([major | 24, value]);
  if (value < 0x1_0000) return Buffer.from([major | 25, value >> 8, value & 0xff]);
  const bytes = Buffer.alloc(5);
  bytes[0] = major | 26;
  bytes.writeUInt32BE(value, 1);
  return bytes;
}

function byteString(bytes: Uint8Array): Buffer {
  return Buffer.concat([head('bytes', bytes.length), bytes]);
}

function text(value: string): Buffer {
  return Buffer.concat([head('text', value.length), Buffer.from(value)]);
}
