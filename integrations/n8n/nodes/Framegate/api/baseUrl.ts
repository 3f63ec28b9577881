/**
 * The base URL in the form required by requests. People paste it with and without the trailing slash and /v1. Without
 * TLS the key could be intercepted, so plain http is only for gateways not reached through a public network: this
 * machine, and hosts of a private network.
 * @throws RangeError with a sentence for the user if it is not such an address.
 */
export function readBaseUrl(entered: unknown): string {
  const address = typeof entered === 'string' ? entered.trim() : '';
  if (address === '') throw new RangeError('The Base URL of the credential is empty');
  const url = addressOf(address);
  if (url === undefined || /[?#\s]/.test(address) || url.username || url.password) {
    throw new RangeError('The Base URL of the credential is not an address');
  }
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    throw new RangeError('The Base URL of the credential must begin with https://');
  }
  return address.replace(/\/+$/, '').replace(/(\/v1)?$/, '/v1');
}

/** Advice for such a base URL. */
export const baseUrlAdvice =
  "Open Credentials, choose the Framegate credential and enter the Base URL that your account's API keys page shows, such as https://media.example.com/v1. Plain http is for localhost and private networks only.";

function addressOf(address: string): URL | undefined {
  if (!/^https?:\/\/[^/]/i.test(address)) return undefined;
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

const privateNames = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/** Ranges of private networks: RFC 1918, loopback, link-local, and carrier-grade NAT (RFC 6598). */
const privateIpv4 =
  /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** Loopback, unique local and link-local addresses. */
const privateIpv6 = /^\[(::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;

/** Whether a host is on this machine or in a private network; names without a dot count, as in Docker. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return privateIpv6.test(host);
  if (/^[\d.]+$/.test(host)) return privateIpv4.test(host);
  return !host.includes('.') || privateNames.test(host);
}
