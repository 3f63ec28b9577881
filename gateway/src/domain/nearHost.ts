import { isIP } from 'node:net';
import { isPublicAddress } from './publicAddress.ts';

/** Ends of names that no public DNS gives out (RFC 6761, RFC 6762, ICANN's .internal). */
const nearEnds = /\.(localhost|local|internal|test|home\.arpa|svc\.cluster\.local)$/;

/**
 * Whether a host is this machine or stands in its own network, as far as its name shows: an address that
 * is not public, a name of one part, such as a container's, or one that only a local DNS knows.
 * @param host As a URL has it; IPv6 in brackets or without.
 */
export function isNearHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) > 0) return !isPublicAddress(name);
  return !name.includes('.') || nearEnds.test(name);
}
