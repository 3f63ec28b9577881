import { ADDRCONFIG } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { causesOf } from '@framegate/limits';
import { isNearHost, isPublicAddress } from '../../domain/network/addresses.ts';
import type { HostOverride } from '../../domain/network/inputUrl.ts';

/**
 * Allowed targets of connections:
 * - `public-https`: by name, with https on port 443, to public addresses (customers' URLs);
 * - `public`: to public addresses, by name or by address (providers);
 * - `any`: also to private addresses, if the operator allows that for a provider.
 */
export type ConnectionPolicy = 'public-https' | 'public' | 'any';

/** Resolves a host name; throws if it has no address. */
export type ResolveHost = (host: string) => Promise<string[]>;

/** Opens sockets for undici, and recognises requests that failed before they had one. */
export interface GuardedConnector {
  connect: buildConnector.connector;
  /** Whether this error means that DNS, TCP, TLS or the policy prevented the connection. */
  neverConnected(error: unknown): boolean;
}

/**
 * Creates the connector of every outbound client. TLS is verified for the host name. Addresses are checked in the
 * lookup whose result the socket uses, so that a name cannot change between check and connection (DNS rebinding). One
 * non-public address refuses the whole response.
 */
export function createGuardedConnector(options: {
  policy: ConnectionPolicy;
  resolveHost: ResolveHost;
  /** Hosts (lower case) whose connections the operator redirects without a check. */
  hostOverrides?: ReadonlyMap<string, HostOverride>;
  /** Certificates (PEM) to trust in addition to Node's, which include NODE_EXTRA_CA_CERTS. */
  extraCa?: readonly string[];
  /** Limit for DNS, TCP and TLS together. */
  connectMs?: number;
}): GuardedConnector {
  const { policy, resolveHost, hostOverrides, extraCa = [], connectMs = 10_000 } = options;
  const failures = new WeakSet();
  const connectTo = (resolve: ResolveHost) =>
    buildConnector({
      timeout: connectMs,
      allowH2: false,
      maxCachedSessions: policy === 'public-https' ? 0 : 100,
      lookup: lookupWith(resolve),
      ...(extraCa.length > 0 && { ca: [...getCACertificates('default'), ...extraCa] }),
    });
  const connectChecked = connectTo(policy === 'any' ? resolveHost : publicOnly(resolveHost));
  return {
    connect(target, callback) {
      const report: buildConnector.Callback = (...result) => {
        if (result[0]) failures.add(result[0]);
        callback(...result);
      };
      const override = hostOverrides?.get(target.hostname.toLowerCase());
      const refusal = override ? null : connectionRefusal(target, policy);
      if (override) {
        const connect = connectTo(async () => [override.address]);
        connect({ ...target, port: String(override.port) }, report);
      } else if (refusal) {
        report(refusal, null);
      } else {
        connectChecked(target, report);
      }
    },
    neverConnected: (error) => causesOf(error).some((each) => failures.has(each)),
  };
}

/** The policy's reason for refusing a target before any lookup, or null. Literal addresses never reach a lookup. */
function connectionRefusal(
  { hostname, protocol, port }: buildConnector.Options,
  policy: ConnectionPolicy,
): Error | null {
  if (policy === 'any') return null;
  if (policy === 'public') {
    const host = hostname.replace(/^\[|\]$/g, '');
    return isIP(host) !== 0 && !isPublicAddress(host) ? notPublic(host) : null;
  }
  if (protocol !== 'https:' || !['', '443'].includes(port)) {
    return new Error('only https on port 443');
  }
  const isLiteral = /[:[\]]|^[\d.]+$/.test(hostname);
  return isLiteral ? new Error('an IP address instead of a name') : null;
}

function publicOnly(resolveHost: ResolveHost): ResolveHost {
  return async (host) => {
    const addresses = await resolveHost(host);
    if (addresses.length === 0) throw new Error('no address');
    const refused = addresses.find((address) => !isPublicAddress(address));
    if (refused !== undefined) throw notPublic(refused);
    return addresses;
  };
}

function notPublic(address: string): Error {
  return Object.assign(new Error(`address ${address} is not public`), { code: 'EADDRBLOCKED' });
}

/** Adapts a resolver to the two forms in which sockets call it. */
function lookupWith(resolve: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const list = addresses.map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        }));
        const first = list[0];
        if (options.all === true) callback(null, list);
        else if (first) callback(null, first.address, first.family);
        else callback(new Error('no address'), '');
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}

/** Time limit of one DNS server, in ms, and number of attempts. */
const dnsLimits = { timeout: 3_000, attempts: 2 };

/**
 * Queries this machine's DNS servers, IPv4 first. Deliberately without getaddrinfo, which would add search domains and
 * the hosts file, both naming internal machines, and whose slow responses would block one of the few threads shared
 * with file access.
 */
export const resolveByDns: ResolveHost = async (host) => {
  const resolver = new Resolver(dnsLimits);
  const responses = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = responses.flatMap((response) =>
    response.status === 'fulfilled' ? response.value : [],
  );
  const failure = responses.find((response) => response.status === 'rejected');
  if (addresses.length === 0 && failure) throw failure.reason;
  return addresses;
};

/** Queries the system (getaddrinfo), including the hosts file: for hosts configured by the operator. */
export const resolveBySystem: ResolveHost = async (host) => {
  const addresses = await lookup(host, { all: true, hints: ADDRCONFIG });
  return addresses.map(({ address }) => address);
};

/** Our network rules for connections to providers. */
export const providerNetwork = {
  connectorFor: (policy: 'public' | 'any') =>
    createGuardedConnector({ policy, resolveHost: resolveBySystem }),
  isNearHost,
};
