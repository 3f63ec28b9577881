import type { Model } from '@framegate/contract';
import type { ProcessRegistry } from '../adapters/mongo/processRegistry.ts';
import type { Secrets } from '../adapters/system/secretsFile.ts';
import type { BreakerStore } from '../application/ports/breakerStore.ts';
import type { DurationStats } from '../application/ports/durationStats.ts';
import type { ReachFaultPoint } from '../application/ports/faultPoint.ts';
import type { Log } from '../application/ports/log.ts';
import type { Random } from '../application/ports/random.ts';
import type { Routes } from '../application/ports/route.ts';
import type { FigureReaders } from '../application/staff/figures.ts';
import type { LaneState } from '../application/upkeep/watchLanes.ts';
import type { Timings } from '../application/workDeps.ts';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../openDatabase.ts';
import type { Media } from './media.ts';
import type { Measured } from './metrics.ts';

/** What the parts of a gateway share. */
export interface Shared {
  config: Config;
  log: Log;
  secrets: Secrets;
  mongo: OpenDatabase;
  random: Random;
  media: Media;
  routes: Routes;
  breakers: BreakerStore;
  models: readonly Model[];
  durations: DurationStats;
  figures: FigureReaders;
  /** How the lanes of upkeep are doing. */
  readLanes: () => Promise<LaneState[]>;
  processes: ProcessRegistry;
  reach: ReachFaultPoint;
  timings: Timings;
  measured: Pick<Measured, 'recordRequest' | 'recordPoll' | 'recordLost' | 'recordSignIn'>;
}
