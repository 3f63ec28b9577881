import type { KeyHost } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import { possibleInputKeys, possibleOutputKeys } from '../../domain/mediaFiles.ts';
import { AdminProblem } from '../admin/adminProblem.ts';
import { byId, byKeyId, changeAccount } from '../admin/changeAccount.ts';
import { grantCredits } from '../admin/grantCredits.ts';
import { requireHostRule } from '../admin/requireHostRule.ts';
import type { MediaStore } from '../ports/mediaStore.ts';
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

/** Generations that are read at a time, and those whose files are deleted at once. */
const erasePage = 200;
const erasedAtOnce = 10;

/**
 * Erases a customer: the account loses its address, password, key names and hosts and can do nothing
 * any more, its generations lose prompts, inputs and files. The ledger stays, under an id that names
 * nobody. May be repeated: a second time goes on where a killed process stopped.
 * @throws AdminProblem while generations are unfinished, or when it is a member of staff.
 */
export async function eraseAccount(deps: RemovalDeps, accountId: string): Promise<string> {
  const { database, clock } = deps.work;
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
  const { count, failures } = await eraseGenerations(deps, accountId);
  const keyIds = before.keys.map(({ id }) => id);
  await deps.writes.eraseTraces(accountId, before.email, keyIds);
  if (failures.length > 0) throw failures[0];
  return `Erased, with ${count} generation(s). Its ledger stays under ${accountId}.`;
}

/**
 * Removes what ended generations hold of a person, page by page in the order of their ids: files first,
 * then the marks of the page together. One whose files cannot be deleted stops none of the others.
 */
async function eraseGenerations(
  { work: { media, clock }, writes }: RemovalDeps,
  accountId: string,
): Promise<{ count: number; failures: unknown[] }> {
  const failures: unknown[] = [];
  let count = 0;
  for (let after = ''; ;) {
    const page = await writes.toErase(accountId, after, erasePage);
    const last = page.at(-1);
    if (!last) return { count, failures };
    for (let first = 0; first < page.length; first += erasedAtOnce) {
      const some = page.slice(first, first + erasedAtOnce);
      const deleted = await Promise.allSettled(some.map((each) => deleteFiles(media, each)));
      failures.push(
        ...deleted.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : [])),
      );
      const ids = some.flatMap(({ id }, index) =>
        deleted[index]?.status === 'fulfilled' ? [id] : [],
      );
      if (ids.length > 0) await writes.erase(ids, clock.now());
      count += ids.length;
    }
    after = last.id;
  }
}

/** Deletes every file that a generation can have, recorded or not. */
async function deleteFiles(media: MediaStore, generation: Generation): Promise<void> {
  const recorded = [...(generation.storedInputs ?? []), ...generation.outputs];
  const possible = [...possibleInputKeys(generation), ...possibleOutputKeys(generation)];
  for (const key of new Set([...recorded.map((each) => each.key), ...possible])) {
    await media.delete(key);
  }
}
