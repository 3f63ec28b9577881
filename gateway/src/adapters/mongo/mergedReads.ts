import { shareCalls } from '@framegate/limits';
import type { GenerationStore } from '../../application/ports/generations.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { accountOfScope } from '../../domain/generations/idempotency.ts';
import type { Collections } from './collections.ts';
import { accountCodec } from './models/accounts.ts';
import { generationCodec } from './models/generations.ts';
import type { Path, ProjectedDocument, Projection, TypedCollection } from './models/statements.ts';

/** Lookups per query, and concurrent queries. Few large queries are cheaper, but none waits long for a slow one. */
const shared = { maxItems: 200, maxCalls: 2, minForAnother: 12, slowMs: 10 };

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
  outputsRemoveAt: 1,
  outputsRemovedAt: 1,
  failure: 1,
} as const;

/** The reads of hot paths. Simultaneous requests share their queries. One per connection. */
export interface MergedReads extends Pick<GenerationStore, 'findView' | 'findReplay'> {
  findAccount(accountId: string): Promise<Account | null>;
}

/** The merged reads of a connection. */
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
    async findView(generationId, accountId) {
      const document = await (accountId === undefined
        ? findView(generationId)
        : findOwnView(generationId, accountId));
      if (accountId !== undefined && document?.accountId !== accountId) return null;
      return document && generationCodec.fromPart(document);
    },
    async findReplay(scope) {
      const document = await findScope(scope, accountOfScope(scope));
      return document && generationCodec.fromPart(document).replay;
    },
    async findAccount(accountId) {
      const document = await findAccount(accountId);
      return document && accountCodec.fromStored(document);
    },
  };
}

/**
 * Finds single documents by a unique field, from the primary and majority-committed, so that a state once seen is never
 * rolled back. Requests that arrive meanwhile share the next query, with one `$in`.
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
    valuesOf: (document: ProjectedDocument<T, P>) => readonly string[];
    projection: P;
    /** `projection` with only the items of arrays that hold these values. */
    narrow?: (values: readonly string[]) => object;
  },
): (value: string, accountId?: string) => Promise<ProjectedDocument<T, P> | null> {
  type FoundDocument = ProjectedDocument<T, P>;
  const {
    field,
    storedAs = (value: string) => value,
    owner,
    valuesOf,
    projection,
    narrow,
    hint,
  } = options;
  const find = shareCalls(shared, async (questions: readonly Lookup[]) => {
    const values = [...new Set(questions.map(({ value }) => value))];
    const projected = narrow?.(values) ?? projection;
    const cursor = collection.find(
      // The compiler cannot tell for a field that is a parameter.
      {
        [field]: { $in: [...new Set(values.map(storedAs))] },
        ...(owner && {
          [owner]: { $in: [...new Set(questions.flatMap(({ accountId }) => accountId ?? []))] },
        }),
      } as never,
      {
        ...(hint !== undefined && { hint }),
        ...(projected && { projection: projected as never }),
        readConcern: 'majority',
        readPreference: 'primary',
        batchSize: shared.maxItems + 1,
      },
    );
    const documents = new Map<string, FoundDocument>();
    for (const document of (await cursor.toArray()) as FoundDocument[]) {
      for (const value of valuesOf(document)) documents.set(value, document);
    }
    return questions.map(({ value }) => documents.get(value) ?? null);
  });
  return (value, accountId) => find({ value, accountId });
}

/** A value to look up; its account if the query names owners. */
interface Lookup {
  value: string;
  accountId: string | undefined;
}
