import type { Model } from '@framegate/contract';
import type { Allowances } from '../../../application/allowances.ts';
import type { CreateCommand } from '../../../application/createGeneration.ts';
import type { CreateAnswer } from '../../../application/idempotently.ts';
import type { SiteDeps } from '../../../application/site/siteDeps.ts';
import type { DurationStats } from '../../../application/ports/durationStats.ts';
import type { Log } from '../../../application/ports/log.ts';
import type { Addresses } from '../../../application/presentGeneration.ts';
import type { Show } from './render.ts';

/** A sample picture for the studio. */
export interface Sample {
  name: string;
  /** Its address on the sample host, as a request names it. */
  url: string;
  bytes: Buffer;
}

/** What the account site is made of. */
export interface AccountSite {
  deps: SiteDeps;
  /** The same use case as the API's. */
  createGeneration: (command: CreateCommand) => Promise<CreateAnswer>;
  /** Models that somebody makes, in the order of the specification. */
  models: readonly Model[];
  durations: DurationStats;
  addresses: Addresses;
  samples: readonly Sample[];
  allowances: Allowances;
  log: Log;
}

/** What the site's pages work with. */
export type Site = AccountSite & { show: Show };
