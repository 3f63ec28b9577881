import { createPlaces } from '@framegate/limits';
import type { FetchUrl, TakeUpload } from '@framegate/media';
import { sampleHost } from '../adapters/net/sampleHost.ts';
import { createBudgetStore, createPlaceStore } from '../adapters/mongo/providerStores.ts';
import type { Offer } from '../application/catalogue/offer.ts';
import { createExplainGoneKey } from '../application/generations/goneKey.ts';
import { createInputTurns } from '../application/generations/inputTurns.ts';
import { createLookTurns } from '../application/generations/lookTurns.ts';
import type { Log, Passwords, Random } from '../application/ports/system.ts';
import type { DurationStats } from '../application/ports/upkeep.ts';
import type { Addresses } from '../application/generations/presentGeneration.ts';
import type { PrepareMail, SendMail } from '../application/ports/site.ts';
import { createProviderRoom } from '../application/generations/providerRoom.ts';
import type { FigureReaders } from '../application/staff/figures.ts';
import { workKinds, type WorkPlaces } from '../application/workKinds.ts';
import type { LaneState } from '../application/upkeep/laneWatch.ts';
import type { WorkDeps } from '../application/generations/deps.ts';
import type { Config } from '../config.ts';
import { deadlineOf } from '../config/timeSettings.ts';
import type { Secrets } from '../domain/secretVersions.ts';
import type { OpenDatabase } from './openDatabase.ts';
import { composeMails } from './mails.ts';
import type { Media } from './media.ts';
import type { Measured } from './telemetry.ts';

/** The components of a process, each created once. */
export interface App {
  config: Config;
  log: Log;
  secrets: Secrets;
  /** The connection with the database, its clock and the collections. */
  mongo: OpenDatabase;
  random: Random;
  /** How passwords are hashed. */
  passwords: Passwords;
  /** Models on sale, with their prices. */
  offer: Offer;
  durations: DurationStats;
  figures: FigureReaders;
  /** The states of the lanes of upkeep. */
  findLanes: () => Promise<LaneState[]>;
  measured: Pick<
    Measured,
    | 'recordRequest'
    | 'recordPoll'
    | 'recordLost'
    | 'recordCost'
    | 'recordDifferences'
    | 'recordSignIn'
    | 'recordMail'
  >;
  work: WorkDeps;
  places: WorkPlaces;
  takeUpload: TakeUpload;
  fetchUrl: FetchUrl;
  /** Queues mails for the workers, or writes them to files without a mail server. */
  sendMail: SendMail;
  /** Makes a mail in the queue's form; null if mails are written to files. */
  prepareMail: PrepareMail | null;
  addresses: Addresses;
  /**
   * Input hosts that need no approval: the operator's and, in development, the host of the sample pictures, which is
   * served from this package's own files.
   */
  autoApprovedHosts: readonly string[];
}

/** The components that must be opened or read; the rest is derived from them and the settings. */
export type AppParts = Omit<
  App,
  | 'work'
  | 'places'
  | 'takeUpload'
  | 'fetchUrl'
  | 'sendMail'
  | 'prepareMail'
  | 'addresses'
  | 'autoApprovedHosts'
> &
  Pick<
    WorkDeps,
    | 'routes'
    | 'speeds'
    | 'breakers'
    | 'deliveries'
    | 'upkeep'
    | 'reachFaultPoint'
    | 'timings'
    | 'traces'
  > & {
    media: Media;
  };

/** Assembles the components of a process. */
export function assembleApp(parts: AppParts): App {
  const { config, secrets } = parts;
  const { mediaDelivery } = config;
  const { autoApproved } = config.inputHosts;
  const workPlaces = createPlaces(workKinds);
  return {
    config,
    log: parts.log,
    secrets,
    mongo: parts.mongo,
    random: parts.random,
    passwords: parts.passwords,
    offer: parts.offer,
    durations: parts.durations,
    figures: parts.figures,
    findLanes: parts.findLanes,
    measured: parts.measured,
    work: workDepsOf(parts, workPlaces),
    places: workPlaces,
    takeUpload: parts.media.takeUpload,
    fetchUrl: parts.media.fetchUrl,
    ...composeMails(parts),
    addresses: {
      baseUrl: config.urls.base,
      mediaUrl: config.urls.media,
      mediaSigningKeys: secrets.mediaSigningKeys,
      ...(mediaDelivery.by === 'redirect' && { redirectUrl: mediaDelivery.to.url }),
    },
    autoApprovedHosts: config.mode === 'development' ? [...autoApproved, sampleHost] : autoApproved,
  };
}

function workDepsOf(parts: AppParts, workPlaces: WorkPlaces): WorkDeps {
  const { config, log, mongo, media, random } = parts;
  const { database, clock, collections } = mongo;
  const places = createPlaceStore(collections, clock);
  return {
    database,
    clock,
    random,
    log,
    routes: parts.routes,
    speeds: parts.speeds,
    breakers: parts.breakers,
    deliveries: parts.deliveries,
    providerRoom: createProviderRoom(places, clock, log),
    lookTurns: createLookTurns({ ...parts, clock }, places),
    explainGoneKey: createExplainGoneKey({ log, clock }),
    budgets: createBudgetStore(collections),
    countLost: parts.measured.recordLost,
    countCost: parts.measured.recordCost,
    countDifferences: parts.measured.recordDifferences,
    media: media.store,
    inputTurns: createInputTurns({ clock, random, places: workPlaces }),
    upkeep: parts.upkeep,
    takeInputs: media.takeInputs,
    storeOutput: media.storeOutput,
    posters: media.posters,
    inputUrl: media.inputUrl,
    defaultLimits: config.limits,
    runningDeadlineMs: ({ type, model }) => deadlineOf(config.runningDeadlines[type], model) * 1000,
    outputsKeptMs: config.outputsKeptSeconds * 1000,
    refusedKeptMs: config.refusedKeptSeconds * 1000,
    promptsKeptMs: config.promptsKeptSeconds * 1000,
    reachFaultPoint: parts.reachFaultPoint,
    traces: parts.traces,
    timings: parts.timings,
  };
}
