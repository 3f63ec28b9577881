import { Resolver } from 'node:dns/promises';

/** How long one DNS server has for an answer, in ms, and how often it is asked. */
const patience = { timeout: 3_000, tries: 2 };

/** Finds the addresses of a host name; throws when there are none. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * Asks the DNS servers of this machine, IPv4 first. Not by getaddrinfo, on purpose: that would add
 * search domains and the hosts file, which name machines inside, and a slow answer would hold one of
 * the few threads that file access shares.
 */
export const resolveHost: ResolveHost = async (host) => {
  const resolver = new Resolver(patience);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  );
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (addresses.length === 0 && failure) throw failure.reason;
  return addresses;
};
