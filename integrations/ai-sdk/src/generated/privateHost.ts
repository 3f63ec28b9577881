/* Copied from integrations/typescript/src/core/privateHost.ts by "npm run generate": do not edit. */

const privateNames = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/** Ranges of private networks: RFC 1918, loopback, link-local, and carrier-grade NAT (RFC 6598). */
const privateIpv4 =
  /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** Loopback, unique local and link-local addresses. */
const privateIpv6 = /^\[(::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;

/**
 * Whether plain http is acceptable for this host: this machine, or a private network. Docker's names
 * without a dot count.
 * @param hostname As in a `URL`: lower case, and IPv6 in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return privateIpv6.test(host);
  if (/^[\d.]+$/.test(host)) return privateIpv4.test(host);
  return !host.includes('.') || privateNames.test(host);
}
