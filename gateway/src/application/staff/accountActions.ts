import type { KeyHost } from '../../domain/account.ts';
import { possibleInputKeys, possibleOutputKeys } from '../../domain/mediaFiles.ts';
import { AdminProblem } from '../admin/adminProblem.ts';
import { byId, byKeyId, changeAccount } from '../admin/changeAccount.ts';
import { grantCredits } from '../admin/grantCredits.ts';
import { requireHostRule } from '../admin/requireHostRule.ts';
import { takeAllowance } from './goodwill.ts';
import type { Actor } from './runAction.ts';
import type { RemovalDeps, StaffDeps } from './staffDeps.ts';

/** Goodwill credits are there for a year, in ms. */
const goodwillMs = 365 * 24 * 3600 * 1000;

/** Gives a customer credits for what went wrong. */
export async function giveGoodwill(
  deps: StaffDeps,
  command: {
    accountId: string;
    amount: number;
    reason: string;
    by: Pick<Actor, 'role' | 'email'>;
    reference?: string | undefined;
  },
): Promise<string> {
  const { accountId, amount, reason, reference } = command;
  if (amount > deps.secondPersonCredits) {
    throw new AdminProblem('So much is no goodwill: use “Grant credits”.');
  }
  const giveBack = await takeAllowance(deps, command.by, amount);
  try {
    await grantCredits(deps.work, {
      accountId,
      amountCredits: amount,
      kind: 'promotional',
      expiresAt: { afterMs: goodwillMs },
      reason: `goodwill: ${reason}`,
      reference,
    });
  } catch (error) {
    if (error instanceof AdminProblem) await giveBack();
    throw error;
  }
  return `${amount} credits were given.`;
}

/** Refuses an input host that a key's owner asked for, or takes an approval back. */
export async function refuseHost(
  { work: { database } }: StaffDeps,
  { keyId, host }: { keyId: string; host: string },
): Promise<string> {
  const rule = requireHostRule(host);
  const refused: KeyHost = { rule, state: 'refused' };
  await changeAccount(database, byKeyId(database, keyId), (account) => ({
    after: {
      ...account,
      keys: account.keys.map((key) => {
        if (key.id !== keyId) return key;
        if (!key.hosts.some((each) => each.rule === rule)) {
          throw new AdminProblem(`The key has not asked for ${rule}.`);
        }
        const hosts = key.hosts.map((each) => (each.rule === rule ? refused : each));
        return { ...key, hosts };
      }),
    },
  }));
  return `${rule} is refused for ${keyId}.`;
}

const eraseBatch = 50;

/**
 * Erases a customer: the account loses its address, password, key names and hosts and can do nothing
 * any more, its generations lose prompts, inputs and files. The ledger stays, under an id that names
 * nobody. May be repeated: a second time goes on where a killed process stopped.
 * @throws AdminProblem while generations are unfinished, or when it is a member of staff.
 */
export async function eraseAccount(deps: RemovalDeps, accountId: string): Promise<string> {
  const { database, clock, media } = deps.work;
  const before = await database.accounts.find(accountId);
  if (!before) throw new AdminProblem(`There is no account ${accountId}.`);
  const now = clock.now();
  await changeAccount(database, byId(database, accountId), (account) => {
    if (account.staffRole !== null) throw new AdminProblem('It is an account of staff.');
    if (account.running + account.waiting > 0) {
      throw new AdminProblem(
        'It has unfinished generations: suspend it and wait for their end, or fail them first.',
      );
    }
    return {
      after: {
        ...account,
        email: `${accountId}@erased.invalid`,
        passwordHash: null,
        verified: false,
        status: 'suspended',
        keys: account.keys.map((key) => ({
          ...{ ...key, name: 'erased', hosts: [] },
          revokedAt: Math.min(key.revokedAt ?? now, now),
        })),
      },
    };
  });
  let count = 0;
  for (;;) {
    const batch = await deps.writes.toErase(accountId, eraseBatch);
    for (const generation of batch) {
      const recorded = [...(generation.storedInputs ?? []), ...generation.outputs];
      const keys = [...possibleInputKeys(generation), ...possibleOutputKeys(generation)];
      for (const key of new Set([...recorded.map((each) => each.key), ...keys])) {
        await media.delete(key);
      }
      await deps.writes.erase(generation.id, clock.now());
      count += 1;
    }
    if (batch.length < eraseBatch) break;
  }
  const keyIds = before.keys.map(({ id }) => id);
  await deps.writes.eraseTraces(accountId, before.email, keyIds);
  return `Erased, with ${count} generation(s). Its ledger stays under ${accountId}.`;
}
