import type { AdminTest } from './connect.ts';

/** Removes all accounts and their data. */
export async function emptyBooks({ collections }: AdminTest): Promise<void> {
  const { accounts, accountLookups, generations, ledger, references, feeds } = collections;
  for (const each of [accounts, accountLookups, generations, ledger, references, feeds]) {
    await each.deleteMany({});
  }
}
