import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

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
