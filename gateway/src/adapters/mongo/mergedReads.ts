import type { GenerationStore } from '../../application/ports/generationStore.ts';
import type { Account } from '../../domain/account.ts';
import type { StoredReplay } from '../../domain/generation.ts';
import type { Collections } from './collections.ts';
import { fromDocument, fromFields } from './documents.ts';
import { createMergedFind } from './mergedFind.ts';

/** What a customer's record is presented from. */
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
  outputs: 1,
  outputsDeleteAt: 1,
  outputsDeletedAt: 1,
  failure: 1,
};

/** The reads of hot paths; requests of one moment share their queries. One for a connection. */
export interface MergedReads extends Pick<GenerationStore, 'view' | 'findReplay'> {
  findAccount(accountId: string): Promise<Account | null>;
}

/** Makes the shared reads. */
export function createMergedReads({ accounts, generations }: Collections): MergedReads {
  const findView = createMergedFind(generations, {
    field: '_id',
    valueOf: ({ _id }) => _id,
    projection: viewProjection,
  });
  const findScope = createMergedFind(generations, {
    field: 'replay.scope',
    valueOf: ({ replay }) => (replay as StoredReplay).scope,
    projection: { replay: 1 },
  });
  const findAccount = createMergedFind(accounts, {
    field: '_id',
    valueOf: ({ _id }) => _id,
    projection: undefined,
  });
  return {
    async view(generationId) {
      const found = await findView(generationId);
      return found && fromDocument(found);
    },
    async findReplay(scope) {
      const found = await findScope(scope);
      return found && fromFields<StoredReplay>(found['replay'] as object);
    },
    async findAccount(accountId) {
      const found = await findAccount(accountId);
      return found && fromDocument<Account>(found);
    },
  };
}
