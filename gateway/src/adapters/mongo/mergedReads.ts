import type { AccountStore } from '../../application/ports/database.ts';
import type { GenerationStore } from '../../application/ports/generations.ts';
import type { Account } from '../../domain/account.ts';
import { accountOfScope } from '../../domain/idempotency.ts';
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

/** The reads of hot paths; requests of one moment share their queries. One for a connection. */
export interface MergedReads extends Pick<GenerationStore, 'view' | 'findReplay'> {
  findAccount(accountId: string): Promise<Account | null>;
  findByKeyHash: AccountStore['findByKeyHash'];
}

/** Makes the shared reads. */
export function createMergedReads({ accounts, generations }: Collections): MergedReads {
  const findView = createMergedFind(generations, {
    field: '_id',
    valuesOf: ({ _id }) => [_id],
    projection: viewProjection,
  });
  const findScope = createMergedFind(generations, {
    field: 'replay.scope',
    owner: { field: 'accountId', of: accountOfScope },
    valuesOf: ({ replay }) => (replay ? [replay.scope] : []),
    projection: { replay: 1 },
  });
  const findAccount = createMergedFind(accounts, {
    field: '_id',
    valuesOf: ({ _id }) => [_id],
    projection: undefined,
  });
  const findKey = createMergedFind(accounts, {
    field: 'keys.hash',
    valuesOf: ({ keys }) => keys.map(({ hash }) => hash),
    projection: { limits: 1, group: 1, keys: 1 },
    // An account may have many large keys.
    narrow: (hashes) => ({
      limits: 1,
      group: 1,
      keys: { $filter: { input: '$keys', cond: { $in: ['$$this.hash', hashes] } } },
    }),
  });
  return {
    async view(generationId) {
      const found = await findView(generationId);
      return found && generationCodec.fromPart(found);
    },
    async findReplay(scope) {
      const found = await findScope(scope);
      return found && generationCodec.fromPart(found).replay;
    },
    async findAccount(accountId) {
      const found = await findAccount(accountId);
      return found && accountCodec.fromStored(found);
    },
    async findByKeyHash(hashes) {
      const found = (await Promise.all(hashes.map(findKey))).find((each) => each !== null);
      if (!found) return null;
      const account = accountCodec.fromPart(found);
      // Older documents have none.
      return { ...account, group: account.group ?? null };
    },
  };
}

interface Waiting<Found> {
  resolve(document: Found | null): void;
  reject(error: unknown): void;
}

/**
 * Finds single documents by a unique field, from the primary and majority-committed, so that a state
 * once seen never goes back. Requests that arrive while two queries are under way share the next one:
 * many reads become one `$in` query.
 */
function createMergedFind<
  T extends { _id: string },
  const P extends Projection<T> | undefined = undefined,
>(
  collection: TypedCollection<T>,
  options: {
    field: Path<T>;
    /** The field of its account, and the account of a value. */
    owner?: { field: Path<T>; of: (value: string) => string };
    /** All values of the field in a document. */
    valuesOf: (document: Projected<T, P>) => readonly string[];
    projection: P;
    /** The same projection, with only the items of arrays that hold these values. */
    narrow?: (values: readonly string[]) => object;
  },
): (value: string) => Promise<Projected<T, P> | null> {
  type Found = Projected<T, P>;
  const { field, owner, valuesOf, projection, narrow } = options;
  let waiting = new Map<string, Waiting<Found>[]>();
  let underWay = 0;
  let beginning = 0;

  /** Begins after this turn of the event loop, so that its other requests come along. */
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
          [field]: { $in: values },
          ...(owner && { [owner.field]: { $in: [...new Set(values.map(owner.of))] } }),
        } as never,
        {
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

  return (value) =>
    new Promise((resolve, reject) => {
      const readers = waiting.get(value);
      if (readers) readers.push({ resolve, reject });
      else waiting.set(value, [{ resolve, reject }]);
      if (underWay + beginning < maxQueries) begin();
    });
}
