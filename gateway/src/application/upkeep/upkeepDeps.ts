import type { UpkeepStore } from '../ports/upkeepStore.ts';
import type { WorkDeps } from '../workDeps.ts';

/** What the lanes of upkeep work with. */
export type UpkeepDeps = WorkDeps & { upkeep: UpkeepStore };
