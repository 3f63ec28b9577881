import type { KeyHost } from '../../domain/account.ts';
import { keyRoom } from '../../domain/keyRoom.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import { AdminProblem } from './adminProblem.ts';
import { byKeyId } from './changeAccount.ts';
import { changeKeys } from './changeKeys.ts';
import { requireOwnHostRule } from './requireHostRule.ts';

/** Lets a key use an input host, whether its owner has asked for it or not. @returns the rule. */
export async function approveHost(
  deps: { database: Database; clock: Clock; autoApprovedHosts?: readonly string[] },
  { keyId, host }: { keyId: string; host: string },
): Promise<string> {
  const rule = requireOwnHostRule(host, deps.autoApprovedHosts);
  const approve = (hosts: readonly KeyHost[]): KeyHost[] => {
    const others = hosts.filter((each) => each.rule !== rule);
    if (others.length >= keyRoom.hostsPerKey) {
      throw new AdminProblem(`A key has at most ${keyRoom.hostsPerKey} hosts.`);
    }
    return [...others, { rule, state: 'approved' }];
  };
  await changeKeys(deps, byKeyId(deps.database, keyId), {
    keys: ({ keys }) =>
      keys.map((key) => (key.id === keyId ? { ...key, hosts: approve(key.hosts) } : key)),
  });
  return rule;
}
