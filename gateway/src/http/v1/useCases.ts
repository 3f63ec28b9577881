import type { CreditBalance, GenerationRecord, ModelList } from '@framegate/contract';
import type { Authenticate, Caller } from '../../application/authenticate.ts';
import type { CreateCommand } from '../../application/createGeneration.ts';
import type { CreateAnswer } from '../../application/idempotently.ts';

/** What the API can do, each use case with its ports already bound. All may throw a Refusal. */
export interface UseCases {
  authenticate: Authenticate;
  createGeneration: (command: CreateCommand) => Promise<CreateAnswer>;
  getGeneration: (caller: Caller, generationId: string) => Promise<GenerationRecord>;
  listModels: (caller: Caller) => ModelList | Promise<ModelList>;
  getBalance: (caller: Caller) => Promise<CreditBalance>;
}
