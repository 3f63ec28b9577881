import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What stands for a caller where addresses are counted: an IPv4 address itself, of an IPv6 address its
 * /64, since a network with one address there has all of them (RFC 6177, RFC 7721).
 */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
