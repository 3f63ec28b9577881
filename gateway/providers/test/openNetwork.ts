import { buildConnector } from 'undici';
import { causesOf } from '@framegate/limits';
import type { Network } from '../src/network.ts';

/** A network without rules, for the servers of tests on this machine. */
export const openNetwork: Network = {
  connectorFor() {
    const connect = buildConnector({});
    const failures = new WeakSet();
    return {
      connect(target, callback) {
        connect(target, (...result) => {
          if (result[0]) failures.add(result[0]);
          callback(...result);
        });
      },
      neverConnected: (error) => causesOf(error).some((each) => failures.has(each)),
    };
  },
  isNearHost: (host) => /^(localhost|[\d.]+|\[.*\])$/.test(host),
};
