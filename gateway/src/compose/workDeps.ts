import { createPlaceStore } from '../adapters/mongo/placeStore.ts';
import { createInputTurns } from '../application/inputTurns.ts';
import { createProviderRoom } from '../application/providerRoom.ts';
import type { WorkDeps } from '../application/workDeps.ts';
import type { Shared } from './shared.ts';

/** What the use cases of the work on generations need: workers have them, and the staff console. */
export function workDepsOf(shared: Shared): WorkDeps {
  const { config, mongo, media } = shared;
  const models = new Map(shared.models.map((model) => [model.id, model]));
  return {
    ...shared,
    database: mongo.database,
    clock: mongo.clock,
    providerRoom: createProviderRoom(
      createPlaceStore(mongo.collections, mongo.clock),
      mongo.clock,
      shared.log,
    ),
    countLost: shared.measured.recordLost,
    media: media.store,
    inputTurns: createInputTurns(mongo.clock, shared.random),
    takeInputs: media.takeInputs,
    storeOutput: media.storeOutput,
    inputUrl: media.inputUrl,
    defaultLimits: config.limits,
    runningDeadlineMs: (modelId) => (models.get(modelId)?.maxSeconds ?? 3600) * 1000,
    outputsKeptMs: config.outputsKeptSeconds * 1000,
    promptsKeptMs: config.promptsKeptSeconds * 1000,
  };
}
