import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Prefix length of an IPv6 address group, and of the network assigned to one customer (RFC 6177). */
const groupBits = 64;
const networkBits = 48;

/**
 * The counter's name for a caller's address: an IPv4 address itself, or the /64 of an IPv6 address, because whoever has
 * one address of a /64 has all of them (RFC 6177, RFC 7721).
 */
export function addressGroup(address: string): string {
  return countedGroups(address)[0].group;
}

/** A counter's name for a caller, and its limit as a multiple of the limit for one address group. */
export interface CountedGroup {
  group: string;
  times: number;
}

/** The limit of an IPv6 /48, which holds 65,536 groups, as a multiple of the limit for one group. */
const networkFactor = 10;

/**
 * The counters' names for a caller's address, narrowest first: its address group, then the /48 of an IPv6 address. A
 * request refused by the first is not counted by the second, so one group alone cannot use up the limit of its network.
 */
export function countedGroups(address: string): readonly [CountedGroup, ...CountedGroup[]] {
  if (!isIPv6(address)) return [{ group: address, times: 1 }];
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return [{ group: parsed.toIPv4Address().toString(), times: 1 }];
  return [
    { group: prefixOf(parsed, groupBits), times: 1 },
    { group: prefixOf(parsed, networkBits), times: networkFactor },
  ];
}

function prefixOf({ parts }: ipaddr.IPv6, bits: number): string {
  const prefix = parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${bits}`;
}

/** Azure's metadata and wire server: looks public, but is inside every virtual machine there. */
const insideClouds = ['168.63.129.16'];

/** Global unicast as assigned by IANA (RFC 4291); all other ranges are special. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public and unicast, so that a customer's or provider's URL may use it. False for loopback,
 * private, link-local (cloud metadata), carrier-grade NAT, documentation, multicast and reserved addresses, for every
 * IPv6 form that embeds an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64; RFC 6890 and the registries named
 * there), and for text that is not an IP address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || insideClouds.includes(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** Name endings that public DNS does not assign (RFC 6761, RFC 6762, ICANN's .internal). */
const nearEnds = /\.(localhost|local|internal|test|home\.arpa|svc\.cluster\.local)$/;

/**
 * Whether a host's name identifies this machine or its local network: a non-public address, a single label such as a
 * container's name, or a name known only to a local DNS.
 * @param host As written in a URL; IPv6 with or without brackets.
 */
export function isNearHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) > 0) return !isPublicAddress(name);
  return !name.includes('.') || nearEnds.test(name);
}

/** The operator's proxies: their number, or the address ranges (CIDR) from which they connect. */
export type TrustedProxies = { hops: number } | { ranges: readonly string[] };

/** Distinguishes trusted proxies from callers. */
export interface ProxyTrust {
  /** Whether to believe the `X-Forwarded-*` headers of a connection from this address. */
  believes(connection: string): boolean;
  /**
   * The caller's address: that of the connection, or the one that the outermost trusted proxy saw. IPv4 is
   * never in mapped notation.
   */
  callerOf(connection: string, forwardedFor: string): string;
}

/** Creates the trust in the configured proxies. @throws Error for an invalid range. */
export function createProxyTrust(proxies: TrustedProxies): ProxyTrust {
  return 'hops' in proxies ? trustHops(proxies.hops) : trustRanges(proxies.ranges);
}

/**
 * Normalises an address or a CIDR range to `start/bits`.
 * @throws Error naming the problem.
 */
export function parseAddressRange(item: string): string {
  const [address = '', bits, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) {
    throw new Error(`"${item}" is neither an address nor a range`);
  }
  const maxBits = family === 4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > maxBits)) {
    throw new Error(`"${item}" has no prefix length from 1 to ${maxBits} after the slash`);
  }
  // A range that covers everything would trust every caller.
  if (Number(bits ?? maxBits) === 0) throw new Error(`"${item}" covers every address`);
  const start = ipaddr.parse(address);
  if (start instanceof ipaddr.IPv6 && start.isIPv4MappedAddress()) {
    throw new Error(`"${item}" contains an IPv4 address: use that`);
  }
  return `${start.toString()}/${bits ?? maxBits}`;
}

function trustHops(hops: number): ProxyTrust {
  return {
    believes: () => hops > 0,
    callerOf(connection, forwardedFor) {
      const reported = hops > 0 ? (addresses(forwardedFor).slice(-hops)[0] ?? '') : '';
      return plain(isIP(reported) > 0 ? reported : connection);
    },
  };
}

/** Whether an address is in one of the ranges (CIDR). @throws Error for an invalid range. */
export function createRangeMatcher(ranges: readonly string[]): (address: string) => boolean {
  const blocks = ranges.map((range) => ipaddr.parseCIDR(range));
  return (text) => {
    if (isIP(text) === 0) return false;
    const address = ipaddr.process(text);
    return blocks.some(
      ([start, bits]) => start.kind() === address.kind() && address.match(start, bits),
    );
  };
}

function trustRanges(ranges: readonly string[]): ProxyTrust {
  const isOurs = createRangeMatcher(ranges);
  return {
    believes: isOurs,
    callerOf(connection, forwardedFor) {
      // Each proxy appends the address that it saw. Entries before a stranger's address are unverified.
      let caller = connection;
      for (const reported of addresses(forwardedFor).toReversed()) {
        if (!isOurs(caller) || isIP(reported) === 0) break;
        caller = reported;
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
