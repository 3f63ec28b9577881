import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../../domain/publicAddress.ts';
import { causesOf } from './causesOf.ts';

/** Ways to open connections to a provider, and to tell that none was opened. */
export interface GuardedConnect {
  connect: buildConnector.connector;
  /** Whether a request failed before anything of it was sent: DNS, connect, TLS or a refused address. */
  neverConnected(error: unknown): boolean;
}

const connectTimeoutMs = 10_000;

/**
 * Connects to public addresses only, unless the operator allows the private network for a provider.
 * The address is judged when the socket connects, so that DNS cannot answer one thing to the check
 * and another to the connection.
 */
export function createGuardedConnect(allowPrivateNetwork: boolean): GuardedConnect {
  const failures = new WeakSet();
  const open = buildConnector({
    timeout: connectTimeoutMs,
    ...(allowPrivateNetwork ? {} : { lookup: publicLookup }),
  });
  const connect: buildConnector.connector = (options, callback) => {
    const done: buildConnector.Callback = (...result) => {
      if (result[0]) failures.add(result[0]);
      callback(...result);
    };
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // An address written in the URL never reaches the lookup.
    if (!allowPrivateNetwork && isIP(host) !== 0 && !isPublicAddress(host)) {
      done(refuse(host), null);
      return;
    }
    open(options, done);
  };
  return {
    connect,
    neverConnected: (error) =>
      causesOf(error).some((each) => failures.has(each) || isBadPort(each)),
  };
}

const publicLookup: LookupFunction = (host, options, callback) => {
  dns.lookup(host, { ...options, all: true }, (error, list) => {
    if (error) {
      callback(error, '');
      return;
    }
    const first = list[0];
    const refused = list.find(({ address }) => !isPublicAddress(address));
    if (refused || !first) callback(refuse(refused?.address ?? host), '');
    else if (options.all) callback(null, list);
    else callback(null, first.address, first.family);
  });
};

function refuse(address: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`address ${address} is not public`), { code: 'EADDRBLOCKED' });
}

/** Ports that fetch itself refuses to use (WHATWG Fetch, section 2.9), such as 9 or 6000. */
function isBadPort(error: object): boolean {
  return 'message' in error && error.message === 'bad port';
}
