import type { LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../../domain/publicAddress.ts';
import type { ResolveHost } from './resolveHost.ts';

/** Where the operator sends connections for one host instead (INPUT_HOST_OVERRIDES). */
export interface HostOverride {
  address: string;
  port: number;
}

/**
 * Opens the sockets of the guarded client: TLS, verified for the host name, to port 443 of public
 * addresses. The addresses are checked here, in the lookup whose answer the socket then uses, so that
 * a name cannot lead elsewhere between the check and the connection. One address that is not public
 * spoils the whole answer. An overridden host goes where the operator says, unchecked.
 */
export function createGuardedConnector(options: {
  hostOverrides: ReadonlyMap<string, HostOverride>;
  resolveHost: ResolveHost;
  /** Certificates (PEM) to trust beside those that Node trusts, NODE_EXTRA_CA_CERTS included. */
  extraCa: readonly string[];
  connectMs: number;
}): buildConnector.connector {
  const common = {
    timeout: options.connectMs,
    allowH2: false,
    maxCachedSessions: 0,
    ...(options.extraCa.length > 0 && {
      ca: [...getCACertificates('default'), ...options.extraCa],
    }),
  };
  const toPublic = buildConnector({ ...common, lookup: lookupOf(publicAddresses(options)) });
  return (target, done) => {
    const override = options.hostOverrides.get(target.hostname.toLowerCase());
    if (override) {
      const connect = buildConnector({
        ...common,
        lookup: lookupOf(async () => [override.address]),
      });
      connect({ ...target, port: String(override.port) }, done);
    } else if (target.protocol !== 'https:' || !['', '443'].includes(target.port)) {
      done(new Error('only https on port 443'), null);
    } else if (/[:[\]]|^[\d.]+$/.test(target.hostname)) {
      // A literal address would never reach the lookup.
      done(new Error('an IP address instead of a name'), null);
    } else {
      toPublic(target, done);
    }
  };
}

function publicAddresses({ resolveHost }: { resolveHost: ResolveHost }): ResolveHost {
  return async (host) => {
    const addresses = await resolveHost(host);
    if (addresses.length === 0) throw new Error('no address');
    const refused = addresses.find((address) => !isPublicAddress(address));
    if (refused !== undefined) throw new Error(`address ${refused} is not public`);
    return addresses;
  };
}

/** Wraps a resolver into what sockets ask, in the two forms in which they ask it. */
function lookupOf(resolve: ResolveHost): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (addresses) => {
        const list = addresses.map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        }));
        const first = list[0];
        if (options.all === true) done(null, list);
        else if (first) done(null, first.address, first.family);
        else done(new Error('no address'), '');
      },
      (error: unknown) => done(error as NodeJS.ErrnoException, ''),
    );
  };
}
