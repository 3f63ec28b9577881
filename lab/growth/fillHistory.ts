import { createHash, randomBytes } from 'node:crypto';
import { dayMs, minuteMs } from '@framegate/contract';
import { ledgerCodec } from '../../gateway/src/adapters/mongo/models/ledger.ts';
import type { OpenDatabase } from '../../gateway/src/compose/openDatabase.ts';
import {
  allLookupIdsOf,
  type LookupValues,
} from '../../gateway/src/domain/accounts/accountLookups.ts';
import { ledgerEntryId } from '../../gateway/src/domain/credits/credits.ts';
import { entryHash } from '../../gateway/src/domain/credits/ledgerChain.ts';
import { formatId } from '../../gateway/src/domain/ids.ts';
import { plain } from '../../test/support/plainCollection.ts';

/** The size of a history. */
export interface HistorySize {
  generations: number;
  accounts: number;
  /** Generations of the largest account. */
  largest: number;
}

/** Parts of a history that are queried later. */
export interface History {
  /** The account with the most generations, and one with few. */
  large: string;
  small: string;
  /** An ended generation of each, and a failed one with its account. */
  ofLarge: string;
  ofSmall: string;
  failed: string;
  failedOf: string;
}

/** Documents per command: with long prompts, more would exceed its time limit on a busy machine. */
const batch = 500;
/** How long ago the oldest end is, in ms. */
const ageMs = 90 * dayMs;
/** One generation per this number failed and was refunded, and one is a favourite in a collection. */
const generationsPerFailure = 10;
const generationsPerFavourite = 4;

/** The id of the account's collection. */
export const collectionOf = (accountId: string): string => `col_${accountId}`;

type Plain = Record<string, unknown>;
interface Lot extends Plain {
  _id?: string;
  id: string;
  amount: number;
  remaining: number;
}

/**
 * Fills a database with ended generations, their ledgers and accounts: copies of one generation that
 * completed and one that failed. The ledger is consistent.
 */
export async function fillHistory(
  { collections, clock }: Pick<OpenDatabase, 'collections' | 'clock'>,
  templates: { account: { accountId: string }; completedId: string; failedId: string },
  { generations: generationCount, accounts: accountCount, largest }: HistorySize,
): Promise<History> {
  const find = async (collection: keyof typeof collections, filter: object): Promise<Plain> => {
    const originals = await (
      collections[collection] as unknown as { findOne(filter: object): Promise<Plain | null> }
    ).findOne(filter);
    if (originals === null) throw new Error(`there is no such template in ${collection}`);
    return originals;
  };
  const fillGeneration = async (generationId: string) => {
    const makeEntry = (kind: string) => find('ledger', { generationId, kind });
    return { generation: await find('generations', { _id: generationId }), entryOf: makeEntry };
  };
  const account = await find('accounts', { _id: templates.account.accountId });
  const grant = await find('ledger', { accountId: templates.account.accountId, kind: 'grant' });
  const completed = await fillGeneration(templates.completedId);
  const failed = await fillGeneration(templates.failedId);
  const charge = await completed.entryOf('charge');
  const refund = await failed.entryOf('refund');
  const cost = Number(completed.generation['costCredits']);

  const nowMs = clock.now();
  const writer = createWriter(collections);
  const history: Partial<History> = {};
  let count = 0;
  for (let index = 0; index < accountCount; index += 1) {
    const others = (generationCount - largest) / (accountCount - 1);
    const own =
      index === 0 ? largest : Math.round(index * others) - Math.round((index - 1) * others);
    const accountId = formatId('acct', nowMs - ageMs, randomBytes(10));
    const lotId = formatId('lot', nowMs - ageMs, randomBytes(10));
    const amount = (own + 1) * cost;
    const movement = (sum: number) => [{ lotId, kind: 'purchased', amount: sum, expiresAt: null }];
    let number = 1;
    let ledgerHash: string | null = null;
    const addEntry = (template: Plain, sum: number, more: Plain) => {
      const written = {
        ...template,
        _id: ledgerEntryId(accountId, number),
        accountId,
        number: number++,
        amount: sum,
        movements: movement(sum),
        ...more,
      };
      ledgerHash = entryHash(ledgerHash, ledgerCodec.fromStored(written as never));
      return writer.add('ledger', { ...written, hash: ledgerHash });
    };
    await addEntry(grant, amount, { reference: undefined });
    let remaining = amount;
    for (let each = 0; each < own; each += 1) {
      // In the order of the accounts' ids, at times that follow their positions in the history.
      const endedAt = nowMs - ageMs + Math.floor(((each + 0.5) / own) * ageMs) - (count % 1_000);
      count += 1;
      const hasFailed = count % generationsPerFailure === 0;
      const { generation } = hasFailed ? failed : completed;
      const createdAt = new Date(endedAt - minuteMs);
      const generationId = formatId('gen', createdAt.getTime(), randomBytes(10));
      await writer.add('generations', {
        ...generation,
        _id: generationId,
        accountId,
        requestId: formatId('req', createdAt.getTime(), randomBytes(10)),
        costCredits: cost,
        charge: movement(-cost),
        ...(hasFailed && { refundedCredits: cost }),
        ...(count % generationsPerFavourite === 0 && {
          isFavourite: true,
          collectionIds: [collectionOf(accountId)],
        }),
        replay: null,
        responses: undefined,
        operationIds: [`task ${count}`],
        createdAt,
        startedAt: new Date(endedAt - 50_000),
        endedAt: new Date(endedAt),
        tidyAt: null,
        position: undefined,
        endNumber: each + 1,
      });
      await addEntry(charge, -cost, { generationId, at: createdAt, position: undefined });
      remaining -= cost;
      if (hasFailed) {
        await addEntry(refund, cost, { generationId, at: new Date(endedAt), position: undefined });
        remaining += cost;
        Object.assign(history, { failed: generationId, failedOf: accountId });
      }
      if (index === 0) Object.assign(history, { large: accountId, ofLarge: generationId });
      if (index > 0 && each === 0) {
        Object.assign(history, { small: accountId, ofSmall: generationId });
      }
    }
    const [lot] = account['lots'] as Lot[];
    const owner = {
      ...account,
      _id: accountId,
      email: `grown-${index}@example.com`,
      keys: (account['keys'] as Plain[]).map((key) => ({
        ...key,
        id: formatId('key', nowMs - ageMs, randomBytes(10)),
        hash: createHash('sha256').update(accountId).digest('hex'),
      })),
      lots: [{ ...lot, id: lotId, amount, remaining }],
      version: number,
      ledgerEntries: number - 1,
      ledgerHash,
      inFlightCredits: 0,
      running: 0,
      waiting: 0,
    };
    await writer.add('accounts', owner);
    const lookups = allLookupIdsOf(accountId, owner as unknown as LookupValues);
    await collections.accountLookups.insertMany(lookups.map((_id) => ({ _id, accountId })));
  }
  await writer.flush();
  return history as History;
}

/** Inserts documents in batches, two commands at a time. */
function createWriter(collections: OpenDatabase['collections']) {
  const waiting = new Map<'accounts' | 'generations' | 'ledger', Plain[]>();
  const underWay = new Set<Promise<unknown>>();
  async function write(name: 'accounts' | 'generations' | 'ledger'): Promise<void> {
    const documents = waiting.get(name) ?? [];
    waiting.set(name, []);
    if (documents.length === 0) return;
    const inserted = plain(collections[name]).insertMany(documents as never);
    underWay.add(inserted);
    void inserted.finally(() => underWay.delete(inserted)).catch(() => undefined);
    if (underWay.size >= 2) await Promise.race(underWay);
  }
  return {
    async add(name: 'accounts' | 'generations' | 'ledger', document: Plain): Promise<void> {
      const documents = waiting.get(name) ?? [];
      // The driver would write an absent field as null.
      const present = Object.entries(document).filter(([, value]) => value !== undefined);
      documents.push(Object.fromEntries(present));
      waiting.set(name, documents);
      if (documents.length >= batch) await write(name);
    },
    async flush(): Promise<void> {
      for (const name of waiting.keys()) await write(name);
      await Promise.all(underWay);
    },
  };
}
