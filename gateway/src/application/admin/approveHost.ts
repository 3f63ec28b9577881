import type { KeyHost } from '../../domain/account.ts';
import type { Database } from '../ports/database.ts';
import { AdminProblem } from './adminProblem.ts';
import { byKeyId, changeAccount } from './changeAccount.ts';
import { hostsPerKeyMax, requireOwnHostRule } from './requireHostRule.ts';

/** Lets a key use an input host, whether its owner has asked for it or not. @returns the rule. */
export async function approveHost(
  { database, autoApprovedHosts }: { database: Database; autoApprovedHosts?: readonly string[] },
  { keyId, host }: { keyId: string; host: string },
): Promise<string> {
  const rule = requireOwnHostRule(host, autoApprovedHosts);
  const approve = (hosts: readonly KeyHost[]): KeyHost[] => {
    const others = hosts.filter((each) => each.rule !== rule);
    if (others.length >= hostsPerKeyMax) {
      throw new AdminProblem(`A key has at most ${hostsPerKeyMax} hosts.`);
    }
    return [...others, { rule, state: 'approved' }];
  };
  await changeAccount(database, byKeyId(database, keyId), (account) => ({
    after: {
      ...account,
      keys: account.keys.map((key) =>
        key.id === keyId ? { ...key, hosts: approve(key.hosts) } : key,
      ),
    },
  }));
  return rule;
}
