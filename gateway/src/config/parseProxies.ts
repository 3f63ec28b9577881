import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import type { TrustedProxies } from '../domain/trustedProxies.ts';

const hopsMax = 10;

/**
 * Reads which proxies are ours: how many, or a comma-separated list of addresses and CIDR ranges.
 * @throws Error that names the first wrong item.
 */
export function parseProxies(text: string): TrustedProxies {
  if (!/^\d+$/.test(text))
    return { ranges: text.split(',').map((item) => parseRange(item.trim())) };
  const hops = Number(text);
  if (hops > hopsMax) throw new Error(`${text} is more than ${hopsMax}`);
  return { hops };
}

/** One address or range, as `start/bits`. */
function parseRange(item: string): string {
  const [address = '', bits, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) throw new Error(`"${item}" is no address and no range`);
  const bitsMax = family === 4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax)) {
    throw new Error(`"${item}" has no length from 1 to ${bitsMax} behind its slash`);
  }
  // A range of everything would believe every caller.
  if (Number(bits ?? bitsMax) === 0) throw new Error(`"${item}" is every address there is`);
  const start = ipaddr.parse(address);
  if (start instanceof ipaddr.IPv6 && start.isIPv4MappedAddress()) {
    throw new Error(`"${item}" has an IPv4 address inside: write that`);
  }
  return `${start.toString()}/${bits ?? bitsMax}`;
}
