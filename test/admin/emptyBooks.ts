import type { AdminTest } from './connect.ts';

/** Removes all accounts with what belongs to them. */
export async function emptyBooks({ collections }: AdminTest): Promise<void> {
  const { accounts, accountLookups, generations, ledger, references, feeds } = collections;
  for (const each of [accounts, accountLookups, generations, ledger, references, feeds]) {
    await each.deleteMany({});
  }
}
