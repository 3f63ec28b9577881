import ipaddr from 'ipaddr.js';
import { isIP, isIPv6 } from 'node:net';

/** Bits of an IPv6 address that form its group, and the network that a provider assigns to one customer (RFC 6177). */
const [groupBits, networkBits] = [64, 48];

/**
 * What stands for a caller where addresses are counted: an IPv4 address itself, of an IPv6 address its
 * /64, since a network with one address there has all of them (RFC 6177, RFC 7721).
 */
export function addressGroup(address: string): string {
  return countedGroups(address)[0].group;
}

/** A name under which a caller is counted, and how many times the limit of one address group it has. */
export interface CountedGroup {
  group: string;
  times: number;
}

/** So many times the limit of an address group has an IPv6 /48, which has 65,536 groups. */
const networkTimes = 10;

/**
 * The names under which a caller's address is counted, the narrowest first: its address group, and of an
 * IPv6 address its /48. A request refused by the first does not count for the second, so that one group alone
 * never uses up the limit of its network.
 */
export function countedGroups(address: string): readonly [CountedGroup, ...CountedGroup[]] {
  if (!isIPv6(address)) return [{ group: address, times: 1 }];
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return [{ group: parsed.toIPv4Address().toString(), times: 1 }];
  return [
    { group: prefixOf(parsed, groupBits), times: 1 },
    { group: prefixOf(parsed, networkBits), times: networkTimes },
  ];
}

function prefixOf({ parts }: ipaddr.IPv6, bits: number): string {
  const kept = parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${kept.join(':')}::/${bits}`;
}

/** Azure's metadata and wire server: it looks public, and is inside every virtual machine there. */
const insideClouds = ['168.63.129.16'];

/** Global unicast as IANA hands it out (RFC 4291); everything else means something special. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is a public unicast one, to which a customer's or a provider's URL may lead.
 * Not so are loopback, private, link-local (cloud metadata), carrier-grade NAT, documentation,
 * multicast and reserved addresses, and every IPv6 form that hides an IPv4 address: mapped,
 * compatible, 6to4, Teredo and NAT64 (RFC 6890 and the registries it names). What is no IP address is
 * not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || insideClouds.includes(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

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

/** Which proxies in front are ours: how many there are, or the address ranges (CIDR) that they call from. */
export type TrustedProxies = { hops: number } | { ranges: readonly string[] };

/** Which connections are trusted proxies, and the caller's address behind them. */
export interface ProxyTrust {
  /** Whether the `X-Forwarded-*` headers of a connection from this address are believed. */
  believes(connection: string): boolean;
  /**
   * The caller's address: that of the connection, or what the outermost trusted proxy saw. IPv4 in its
   * own notation.
   */
  callerOf(connection: string, forwardedFor: string): string;
}

/** Makes the trust in the configured proxies. @throws Error for an invalid range. */
export function createProxyTrust(proxies: TrustedProxies): ProxyTrust {
  return 'hops' in proxies ? trustHops(proxies.hops) : trustRanges(proxies.ranges);
}

function trustHops(hops: number): ProxyTrust {
  return {
    believes: () => hops > 0,
    callerOf(connection, forwardedFor) {
      const seen = hops > 0 ? (addresses(forwardedFor).slice(-hops)[0] ?? '') : '';
      return plain(isIP(seen) > 0 ? seen : connection);
    },
  };
}

function trustRanges(ranges: readonly string[]): ProxyTrust {
  const blocks = ranges.map((range) => ipaddr.parseCIDR(range));
  const isOurs = (text: string): boolean => {
    if (isIP(text) === 0) return false;
    const address = ipaddr.process(text);
    return blocks.some(
      ([start, bits]) => start.kind() === address.kind() && address.match(start, bits),
    );
  };
  return {
    believes: isOurs,
    callerOf(connection, forwardedFor) {
      // Each proxy appends the address that it saw; what stands before a stranger's is the stranger's word.
      let caller = connection;
      for (const seen of addresses(forwardedFor).toReversed()) {
        if (!isOurs(caller) || isIP(seen) === 0) break;
        caller = seen;
      }
      return plain(caller);
    },
  };
}

function addresses(forwardedFor: string): string[] {
  return forwardedFor === '' ? [] : forwardedFor.split(',').map((each) => each.trim());
}

function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
