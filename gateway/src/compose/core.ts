import { createSlots } from '@framegate/limits';
import { createMailStore } from '../adapters/mongo/mails/mailStore.ts';
import { createNoticeStore } from '../adapters/mongo/mails/noticeStore.ts';
import { createBudgetStore, createSlotStore } from '../adapters/mongo/providers/providerStores.ts';
import { sampleHost } from '../adapters/net/sampleHost.ts';
import type { AppCore } from '../application/app.ts';
import { createInputTurns } from '../application/generations/deliver/inputTurns.ts';
import { createPollTurns } from '../application/generations/run/pollTurns.ts';
import { createProviderCapacity } from '../application/generations/run/providerCapacity.ts';
import { createReportRemovedKey } from '../application/generations/run/removedKeys.ts';
import type { Meters } from '../application/meters.ts';
import { workKinds } from '../application/workKinds.ts';
import type { Config } from '../config.ts';
import type { Secrets } from '../domain/installation/secretVersions.ts';
import { deadlineOf } from '../settings/timeSettings.ts';
import { composeMails } from './mails.ts';
import type { ComposedMedia } from './media.ts';
import type { OpenDatabase } from './openDatabase.ts';

/** For the composition only: the settings, and the connection with the collections. */
export interface ConfigAndDatabase {
  config: Config;
  mongo: OpenDatabase;
}

/** The parts of every process, and the further needs of the composition. */
export type CoreParts = AppCore & ConfigAndDatabase;

/** Parts that must be opened, read or watched; the rest of a process is made from them. */
type OpenedParts = ConfigAndDatabase &
  Meters &
  Pick<
    AppCore,
    | 'log'
    | 'random'
    | 'traces'
    | 'reachFaultPoint'
    | 'timings'
    | 'offer'
    | 'durations'
    | 'routes'
    | 'speeds'
    | 'breakers'
    | 'deliveries'
    | 'upkeep'
    | 'figures'
    | 'findUpkeepStates'
  > & { allSecrets: Secrets; files: ComposedMedia['files'] };

/** Assembles the parts of every process. */
export function composeCore(parts: OpenedParts): CoreParts {
  const { config, mongo, allSecrets, offer } = parts;
  const { collections, database, clock } = mongo;
  const { urls, mediaDelivery, inputHosts } = config;
  const slots = createSlots(workKinds);
  const providerSlots = createSlotStore(collections, clock);
  const partsWithClock = { ...parts, clock };
  const mails = createMailStore(mongo.models);
  return {
    ...partsWithClock,
    ...parts.files,
    database,
    slots,
    allModels: () => offer.allModels(),
    budgets: createBudgetStore(collections),
    providerCapacity: createProviderCapacity(providerSlots, clock, parts.log),
    pollTurns: createPollTurns(partsWithClock, providerSlots),
    reportRemovedKey: createReportRemovedKey(partsWithClock),
    runningDeadlineMs: ({ type, model }) => deadlineOf(config.runningDeadlines[type], model) * 1000,
    inputTurns: createInputTurns({ ...partsWithClock, slots }),
    publicUrls: {
      baseUrl: urls.base,
      mediaUrl: urls.media,
      mediaSigningKeys: allSecrets.mediaSigningKeys,
      ...(mediaDelivery.by === 'redirect' && { redirectUrl: mediaDelivery.to.url }),
    },
    autoApprovedHosts:
      config.mode === 'development'
        ? [...inputHosts.autoApproved, sampleHost]
        : inputHosts.autoApproved,
    mails,
    notices: createNoticeStore(mongo.models, collections),
    ...composeMails({ ...partsWithClock, mails, sessionKeys: allSecrets.sessionKeys }),
    brand: config.brand,
    accountUrl: urls.account,
    outputsKeptMs: config.outputsKeptSeconds * 1000,
    favouritesKeptMs: config.favouritesKeptSeconds * 1000,
    refusedKeptMs: config.refusedKeptSeconds * 1000,
    promptsKeptMs: config.promptsKeptSeconds * 1000,
    defaultLimits: config.limits,
    sessionKeys: allSecrets.sessionKeys,
    keyPeppers: allSecrets.keyPeppers,
  };
}
