import type { StoredAccount } from '../../gateway/src/adapters/mongo/models/accounts.ts';
import type { StoredGeneration } from '../../gateway/src/adapters/mongo/models/generations.ts';
import { ledgerCodec } from '../../gateway/src/adapters/mongo/models/ledger.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import type { Lot } from '../../gateway/src/domain/credits/credits.ts';
import { ledgerEntry } from '../../gateway/src/domain/credits/ledgerChain.ts';
import type { AdminTest } from '../admin/connect.ts';
import { emptyBooks } from '../admin/emptyBooks.ts';
import { spend } from '../admin/spending.ts';
import { plain } from '../support/plainCollection.ts';

/** Generations of each account of a large ledger. */
export const generationsEach = 100;
const costCredits = 10;
/** For each account: its grant, its charges, and a refund for every third. */
export const entriesEach = 1 + generationsEach + Math.ceil(generationsEach / 3);

/** Documents of an account with its ledger and its generations, modelled on examples. */
function historyOf(examples: { account: StoredAccount; generation: StoredGeneration }, n: number) {
  const accountId = `acct_large_${String(n).padStart(8, '0')}`;
  const at = 1_700_000_000_000;
  const lot: Lot = {
    id: `lot_${accountId}`,
    kind: 'purchased',
    amount: 10_000,
    remaining: 10_000,
    expiresAt: null,
    createdAt: at,
  };
  const movement = { lotId: lot.id, kind: lot.kind, expiresAt: null };
  const entries: ReturnType<typeof ledgerCodec.toStored>[] = [];
  const enter = (kind: 'grant' | 'charge' | 'refund', amount: number, generationId?: string) => {
    const number = entries.length + 1;
    const of = generationId === undefined ? {} : { generationId };
    const movements = [{ ...movement, amount }];
    const entry = { accountId, number, kind, movements, requestId: 'req_large', at, ...of };
    entries.push(ledgerCodec.toStored(ledgerEntry(entry, entries.at(-1)?.hash ?? null)));
  };
  enter('grant', lot.amount);
  const generations = Array.from({ length: generationsEach }, (_, i) => {
    const _id = `gen_large_${String(n).padStart(8, '0')}_${String(i).padStart(4, '0')}`;
    const fails = i % 3 === 0;
    enter('charge', -costCredits, _id);
    if (fails) enter('refund', costCredits, _id);
    else lot.remaining -= costCredits;
    return {
      ...examples.generation,
      createdAt: new Date(at),
      startedAt: new Date(at),
      endedAt: new Date(at),
      _id,
      accountId,
      charge: [{ ...movement, amount: -costCredits }],
      step: 'ended',
      open: false,
      status: fails ? 'failed' : 'completed',
      refundedCredits: fails ? costCredits : 0,
    };
  });
  const account = {
    ...examples.account,
    _id: accountId,
    email: `${accountId}@people.example`,
    lots: [{ ...lot, createdAt: new Date(at) }],
    version: entries.length,
    ledgerEntries: entries.length,
    ledgerHash: entries.at(-1)?.hash ?? null,
    inFlightCredits: 0,
    running: 0,
  };
  return { account, entries, generations };
}

/** Empties the books and fills them with this many accounts. */
export async function fillLedger(admin: AdminTest, accountsCount: number): Promise<void> {
  const { accounts, accountLookups, generations, ledger } = admin.collections;
  const person = { email: 'a@people.example', password: 'a long password' };
  const example = await createAccount(admin, { ...person, isVerified: true, staffRole: null });
  const grant = {
    accountId: example.id,
    amountCredits: costCredits,
    expiresAt: null,
    reason: null,
  };
  await grantCredits(admin, { ...grant, kind: 'purchased' });
  await spend(admin, example.id, costCredits);
  const account = await accounts.findOne({});
  const generation = await generations.findOne({});
  if (!account || !generation) throw new Error('there is no example');
  await emptyBooks(admin);
  for (let n = 0; n < accountsCount; n += 20) {
    const made = Array.from({ length: Math.min(20, accountsCount - n) }, (_, i) =>
      historyOf({ account, generation }, n + i),
    );
    await plain(accounts).insertMany(made.map((each) => each.account));
    await accountLookups.insertMany(
      made.map(({ account: { _id: accountId, email } }) => ({ _id: `email ${email}`, accountId })),
    );
    await plain(ledger).insertMany(made.flatMap((each) => each.entries));
    await plain(generations).insertMany(made.flatMap((each) => each.generations));
  }
}
