import type { GenerationStore } from '../../application/ports/generations.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { accountOfScope } from '../../domain/generations/idempotency.ts';
import type { Collections } from './collections.ts';
import { accountCodec } from './models/accounts.ts';
import { generationCodec } from './models/generations.ts';
import type { Path, Projected, Projection, TypedCollection } from './models/statements.ts';

const maxValues = 200;
const maxQueries = 2;

/** The documents behind a customer's record. */
export const viewProjection = {
  accountId: 1,
  type: 1,
  model: 1,
  status: 1,
  createdAt: 1,
  startedAt: 1,
  endedAt: 1,
  parameters: 1,
  costCredits: 1,
  refundedCredits: 1,
  outputs: 1,
  outputsDeleteAt: 1,
  outputsDeletedAt: 1,
  failure: 1,
} as const;

/** The reads of hot paths. Simultaneous requests share their queries. One per connection. */
export interface MergedReads extends Pick<GenerationStore, 'view' | 'findReplay'> {
  findAccount(accountId: string): Promise<Account | null>;
}

export function createMergedReads({ accounts, generations }: Collections): MergedReads {
  const views = {
    field: '_id',
    valuesOf: ({ _id }: { _id: string }) => [_id],
    projection: viewProjection,
  } as const;
  const findView = createMergedFind(generations, views);
  const findOwnView = createMergedFind(generations, { ...views, owner: 'accountId', hint: '_id_' });
  const findScope = createMergedFind(generations, {
    field: 'replay.scope',
    owner: 'accountId',
    valuesOf: ({ replay }) => (replay ? [replay.scope] : []),
    projection: { replay: 1 },
  });
  const findAccount = createMergedFind(accounts, {
    field: '_id',
    valuesOf: ({ _id }) => [_id],
    projection: undefined,
  });
  return {
    async view(generationId, accountId) {
      const found = await (accountId === undefined
        ? findView(generationId)
        : findOwnView(generationId, accountId));
      if (accountId !== undefined && found?.accountId !== accountId) return null;
      return found && generationCodec.fromPart(found);
    },
    async findReplay(scope) {
      const found = await findScope(scope, accountOfScope(scope));
      return found && generationCodec.fromPart(found).replay;
    },
    async findAccount(accountId) {
      const found = await findAccount(accountId);
      return found && accountCodec.fromStored(found);
    },
  };
}

interface Waiting<Found> {
  accountId: string | undefined;
  resolve(document: Found | null): void;
  reject(error: unknown): void;
}

const accountsOf = (readers: readonly Pick<Waiting<unknown>, 'accountId'>[]) => [
  ...new Set(readers.flatMap(({ accountId }) => accountId ?? [])),
];

/**
 * Finds single documents by a unique field, from the primary and majority-committed, so that a state
 * once seen never goes back. Requests that arrive while two queries are under way share the next one:
 * many reads become one `$in` query.
 */
export function createMergedFind<
  T extends { _id: string },
  const P extends Projection<T> | undefined = undefined,
>(
  collection: TypedCollection<T>,
  options: {
    field: Path<T>;
    /** The stored value of the field for a value; the value itself if absent. */
    storedAs?: (value: string) => string;
    /** The field of the account, which each question then names. */
    owner?: Path<T>;
    hint?: string;
    /** All values of the field in a document. */
    valuesOf: (document: Projected<T, P>) => readonly string[];
    projection: P;
    /** The same projection, with only the items of arrays that hold these values. */
    narrow?: (values: readonly string[]) => object;
  },
): (value: string, accountId?: string) => Promise<Projected<T, P> | null> {
  type Found = Projected<T, P>;
  const { field, storedAs, owner, valuesOf, projection, narrow, hint } = options;
  let waiting = new Map<string, Waiting<Found>[]>();
  let underWay = 0;
  let beginning = 0;

  /** Begins after this turn of the event loop, so that its other requests join. */
  function begin(): void {
    beginning += 1;
    setImmediate(() => {
      beginning -= 1;
      void findNext();
    });
  }

  async function findNext(): Promise<void> {
    const batch = new Map([...waiting].slice(0, maxValues));
    if (batch.size === 0) return;
    waiting = new Map([...waiting].slice(maxValues));
    underWay += 1;
    try {
      const values = [...batch.keys()];
      const projected = narrow?.(values) ?? projection;
      const cursor = collection.find(
        // The compiler cannot tell for a field that is a parameter.
        {
          [field]: { $in: storedAs ? [...new Set(values.map(storedAs))] : values },
          ...(owner && { [owner]: { $in: accountsOf([...batch.values()].flat()) } }),
        } as never,
        {
          ...(hint !== undefined && { hint }),
          ...(projected && { projection: projected as never }),
          readConcern: 'majority',
          readPreference: 'primary',
          batchSize: maxValues + 1,
        },
      );
      const found = (await cursor.toArray()) as Found[];
      const documents = new Map(
        found.flatMap((document) => valuesOf(document).map((value) => [value, document])),
      );
      for (const [value, readers] of batch) {
        for (const reader of readers) reader.resolve(documents.get(value) ?? null);
      }
    } catch (error) {
      for (const readers of batch.values()) for (const reader of readers) reader.reject(error);
    } finally {
      underWay -= 1;
      if (waiting.size > 0) begin();
    }
  }

  return (value, accountId) =>
    new Promise((resolve, reject) => {
      const reader = { accountId, resolve, reject };
      const readers = waiting.get(value);
      if (readers) readers.push(reader);
      else waiting.set(value, [reader]);
      if (underWay + beginning < maxQueries) begin();
    });
}
