const certificate =
  'The server at the Base URL has no certificate that Zapier trusts, so the API key was not sent. Ask its operator for a valid certificate.';

/** Faults of the base URL, by the code of the network error. */
const sentences: Readonly<Record<string, string>> = {
  ENOTFOUND:
    'The host name in the Base URL does not exist. Check it for typos, under App Connections in Zapier. Zapier cannot reach a name that only your own network knows.',
  ECONNREFUSED:
    'The server at the Base URL accepts no connections. Check its name and port, under App Connections in Zapier. Zapier cannot reach localhost or a private network.',
  ERR_TLS_CERT_ALTNAME_INVALID: certificate,
  CERT_HAS_EXPIRED: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate,
};

/** A sentence about a base URL that leads to no server; null if the server may only be down. */
export function unreachableSentence(networkCode: string | null): string | null {
  return sentences[networkCode ?? ''] ?? null;
}
