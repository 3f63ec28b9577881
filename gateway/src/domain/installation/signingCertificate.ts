import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** Algorithms of manifests, by C2PA's names. */
export type ManifestAlgorithm = 'es256' | 'es384' | 'ps256' | 'ed25519';

/** The operator's certificate for the manifests of results, with its signing key. */
export interface SigningCertificate {
  /** The certificate, followed by the intermediates up to its trust anchor. */
  chain: readonly X509Certificate[];
  key: KeyObject;
  algorithm: ManifestAlgorithm;
}

/** The certificate or its key is unsuitable for manifests; the message completes "it …" or ends a sentence. */
export class SigningCertificateError extends Error {
  override readonly name = 'SigningCertificateError';
  readonly at: 'certificate' | 'key';
  constructor(at: 'certificate' | 'key', message: string) {
    super(message);
    this.at = at;
  }
}

/** Certificate purposes allowed by C2PA: claims, documents, or (in its older versions) email. */
const purposes = ['1.3.6.1.4.1.62558.2.1', '1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4'];
/** Maximum length of a chain. */
const maxCertificates = 10;
const minRsaBits = 2048;
const curves: Readonly<Record<string, ManifestAlgorithm>> = {
  prime256v1: 'es256',
  secp384r1: 'es384',
};

/**
 * Parses a certificate and its key, and checks the requirements of C2PA verifiers.
 * @param pem Their texts: the certificate first, then the intermediates up to its trust anchor.
 * @throws SigningCertificateError
 */
export function parseSigningCertificate(pem: {
  certificates: string;
  key: string;
}): SigningCertificate {
  const chain = parseChain(pem.certificates);
  const [own] = chain;
  let key: KeyObject;
  try {
    key = createPrivateKey(pem.key);
  } catch {
    throw new SigningCertificateError('key', 'it has no private key in PEM without a password');
  }
  const algorithm = algorithmOf(key);
  if (!own.checkPrivateKey(key)) {
    throw new SigningCertificateError('key', 'it is not the key of the first certificate');
  }
  const uses = own.keyUsage as string[] | undefined;
  if (own.ca || uses?.some((use) => purposes.includes(use)) !== true) {
    throw new SigningCertificateError(
      'certificate',
      'its first certificate is not for signing content: C2PA requires an extended key usage for claims, documents or email, and a certificate that is not an authority',
    );
  }
  return { chain, key, algorithm };
}

function parseChain(text: string): [X509Certificate, ...X509Certificate[]] {
  const certificateError = (why: string) => new SigningCertificateError('certificate', why);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > maxCertificates) {
    throw certificateError(`it has more than ${maxCertificates} certificates`);
  }
  let all: X509Certificate[];
  try {
    all = blocks.map((block) => new X509Certificate(block));
  } catch {
    throw certificateError('it has a certificate that cannot be read');
  }
  const [own, ...issuers] = all;
  if (!own) throw certificateError('it has no certificate in PEM');
  for (const [index, issuer] of issuers.entries()) {
    if (all[index]?.checkIssued(issuer) !== true) {
      throw certificateError(`certificate ${index + 2} did not issue the one before it`);
    }
  }
  return [own, ...issuers];
}

/** @throws SigningCertificateError */
function algorithmOf(key: KeyObject): ManifestAlgorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const algorithm = type === 'ec' ? curves[details?.namedCurve ?? ''] : undefined;
  if (algorithm) return algorithm;
  if (type === 'ed25519') return 'ed25519';
  const isLongRsa = type === 'rsa' && (details?.modulusLength ?? 0) >= minRsaBits;
  if (isLongRsa) return 'ps256';
  throw new SigningCertificateError(
    'key',
    `its key is not one that C2PA allows: P-256, P-384, Ed25519, or RSA of at least ${minRsaBits} bits`,
  );
}

/** The first certificate that is not valid at a time, as a phrase; null if all are valid. */
export function validityProblem(
  { chain }: Pick<SigningCertificate, 'chain'>,
  nowMs: number,
): string | null {
  for (const { subject, validFromDate, validToDate } of chain) {
    const name = subject.replaceAll('\n', ', ');
    if (nowMs >= validToDate.getTime()) {
      return `the certificate of ${name} expired on ${validToDate.toISOString()}`;
    }
    if (nowMs < validFromDate.getTime()) {
      return `the certificate of ${name} is not valid before ${validFromDate.toISOString()}`;
    }
  }
  return null;
}
