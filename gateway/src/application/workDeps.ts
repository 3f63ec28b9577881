import type { Limits } from '../domain/limits.ts';
import type { KeyedQueue } from './keyedQueue.ts';
import type {
  Clock,
  Database,
  Log,
  MediaStore,
  Random,
  ReachFaultPoint,
  Routes,
  StoreOutput,
  TakeInputs,
} from './ports.ts';

/** What the use cases of a worker work with. */
export interface WorkDeps {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  routes: Routes;
  accountQueue: KeyedQueue;
  /** Lets one start at a time see whether a provider has room. */
  providerQueue: KeyedQueue;
  media: MediaStore;
  takeInputs: TakeInputs;
  storeOutput: StoreOutput;
  /** A short-lived URL of ours for a stored input. */
  inputUrl(generationId: string, index: number, extension: string): string;
  defaultLimits: Limits;
  /** How long a generation of this model may run, in ms. */
  runningDeadlineMs(modelId: string): number;
  /** How long finished files are kept, in ms. */
  outputsKeptMs: number;
  reach: ReachFaultPoint;
}

/** How long a worker has a generation to itself, in ms; prolonged while it works. */
export const leaseMs = 30_000;
