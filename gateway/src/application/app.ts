import type { Log, Model } from '@framegate/contract';
import type { KeyedLimiter } from '@framegate/limits';
import type { FetchUrl, MediaStore, StoreOutput, StoreUpload, TakeInputs } from '@framegate/media';
import type { Money, Routes } from '@framegate/provider-routes';
import type { VersionedSecret } from '../domain/accounts/apiKey.ts';
import type { Limits } from '../domain/accounts/limits.ts';
import type { Brand } from '../domain/brand/brand.ts';
import type { CatalogueFile } from '../domain/catalogue/catalogueFile.ts';
import type { OrderedModel } from '../domain/generations/order.ts';
import type { SafetyPolicy } from '../domain/generations/safetyPolicy.ts';
import type { Language } from '../domain/text/language.ts';
import type { Allowances } from './allowances.ts';
import type { GuessLimiter } from './authenticate.ts';
import type { Offer } from './catalogue/offer.ts';
import type { InputTurns } from './generations/deliver/inputTurns.ts';
import type { PublicUrls } from './generations/presentGeneration.ts';
import type { PollTurns } from './generations/run/pollTurns.ts';
import type { ProviderCapacity } from './generations/run/providerCapacity.ts';
import type { ReportRemovedKey } from './generations/run/removedKeys.ts';
import type { RouteSpeeds } from './generations/run/routeSpeeds.ts';
import type { Timings } from './generations/timings.ts';
import type { Meters } from './meters.ts';
import type { Actor } from './ports/actor.ts';
import type { CatalogueStore } from './ports/catalogue.ts';
import type { Database } from './ports/database.ts';
import type { InvitationStore } from './ports/invitations.ts';
import type { MailStore, PrepareMail, SendMail } from './ports/mails.ts';
import type { Posters } from './ports/media.ts';
import type { NoticeStore } from './ports/notices.ts';
import type {
  AccountList,
  Feed,
  FindUsage,
  MarkTakenDown,
  OperatorKeyStore,
  OperatorRequestStore,
  SignInLinkStore,
} from './ports/operator.ts';
import type { BudgetStore } from './ports/providers.ts';
import type { SignOn } from './ports/signOn.ts';
import type {
  AttemptStore,
  ConfirmationStore,
  CustomerFactorStore,
  KeyUseStore,
  SessionStore,
} from './ports/site.ts';
import type {
  AuditLog,
  JobQueries,
  PasskeyReader,
  PasskeyStore,
  ProposalStore,
  SecondFactorStore,
  StaffSessionStore,
  StaffWrites,
  Totp,
} from './ports/staff.ts';
import type { StaffQueries } from './ports/staffQueries.ts';
import type { Clock, Passwords, Random, ReachFaultPoint, Traces } from './ports/system.ts';
import type { TeamLogStore } from './ports/teamLog.ts';
import type {
  BreakerStore,
  DeliveryStore,
  DurationStats,
  UpkeepState,
  UpkeepStore,
} from './ports/upkeep.ts';
import type { CollectionStore, ShareStore, WallStore } from './ports/wall.ts';
import type { CostReports } from './staff/costs.ts';
import type { FigureReaders } from './staff/figures.ts';
import type { Incident } from './staff/incidents.ts';
import type { WorkSlots } from './workKinds.ts';

/**
 * All parts of a running process that a worker needs: it takes generations from their order to their end. Each part
 * exists once per process. A use case picks the parts that it needs.
 */
export interface AppCore extends Meters {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  traces: Traces;
  reachFaultPoint: ReachFaultPoint;
  timings: Timings;
  /** Slots for the work of this process, by kind and caller. */
  slots: WorkSlots;

  /** Models on sale, with their prices. */
  offer: Offer;
  /** Current and former models. */
  allModels: () => readonly Model[];
  durations: DurationStats;

  // Providers: routes of orders, their results, and their limits.
  routes: Routes;
  speeds: RouteSpeeds;
  breakers: BreakerStore;
  /** Delivery records of routes. */
  deliveries: DeliveryStore;
  budgets: BudgetStore;
  providerCapacity: ProviderCapacity;
  pollTurns: PollTurns;
  reportRemovedKey: ReportRemovedKey;
  /** Maximum running time of a generation, in ms. */
  runningDeadlineMs(generation: OrderedModel): number;

  // Files: the store, and the only ways into it.
  media: MediaStore;
  takeInputs: TakeInputs;
  storeUpload: StoreUpload;
  /** Fetches the file of an input URL. */
  fetchUrl: FetchUrl;
  storeOutput: StoreOutput;
  posters: Posters;
  inputTurns: InputTurns;
  /** A short-lived URL of ours for a stored input. */
  inputUrl(generationId: string, index: number, extension: string): string;
  /** Public URLs of the API and of files. */
  publicUrls: PublicUrls;
  /**
   * Input hosts that need no approval: the operator's and, in development, the host of the sample pictures, which is
   * served from this package's own files.
   */
  autoApprovedHosts: readonly string[];

  mails: MailStore;
  notices: NoticeStore;
  /** Queues emails for the workers, or writes them to files without a mail server. */
  sendMail: SendMail;
  /** Makes an email in the queue's form; null if emails are written to files. */
  prepareMail: PrepareMail | null;
  /** The language of the person whose request runs. */
  currentLanguage: () => Language;
  brand: Brand;
  /** ACCOUNT_URL, without a trailing slash. */
  accountUrl: string;

  upkeep: UpkeepStore;
  figures: FigureReaders;
  /** Reads the last completion of each upkeep task. */
  findUpkeepStates: () => Promise<UpkeepState[]>;
  /** Retention of finished files, in ms. */
  outputsKeptMs: number;
  /** Retention of favourites' files, in ms: never shorter. */
  favouritesKeptMs: number;
  /** Retention of results that were not delivered, in ms; 0 keeps none. */
  refusedKeptMs: number;
  /** Retention of prompts after the end, in ms. */
  promptsKeptMs: number;

  defaultLimits: Limits;
  /** SESSION_KEYS: the first signs, all verify. */
  sessionKeys: readonly VersionedSecret[];
  /** KEY_PEPPERS: the first hashes new keys, all find them. */
  keyPeppers: readonly VersionedSecret[];
}

/** All parts of a process that answers requests: the API, the account site, the console and the operator API. */
export interface App extends AppCore {
  // Orders.
  allowances: Allowances;
  /** Runs requests of one idempotency scope one at a time. */
  equalRequests: KeyedLimiter;
  /** The operator's rules, which no request can change. */
  safety: SafetyPolicy;
  /** Retention of an Idempotency-Key and its first response, in ms. */
  idempotencyKeptMs: number;
  /** Retention of audit records of real-person mode, in ms. */
  auditKeptMs: number;
  /** The model's waiting deadline, in ms. */
  waitingDeadlineMs(modelId: string): number;

  // API keys.
  /** The first of KEY_PEPPERS: hashes new keys. */
  pepper: VersionedSecret;
  keyUses: KeyUseStore;
  guesses: GuessLimiter;
  /** Whether a key for real-person mode requires a second factor on the account. */
  realPersonNeedsSecondFactor: boolean;

  // Customers: how they sign up and in.
  actor: Actor;
  passwords: Passwords;
  sessions: SessionStore;
  attempts: AttemptStore;
  confirmations: ConfirmationStore;
  customerFactors: CustomerFactorStore;
  totp: Totp;
  invitations: InvitationStore;
  /** Sign-in links of the operator's product. */
  signInLinks: SignInLinkStore;
  /** Available ways to sign in. */
  signInWays: 'password' | 'oidc' | 'both';
  /** The sign-in provider; null without one. */
  signOn: SignOn | null;
  /** Who may sign up. */
  signUp: 'open' | 'invite' | 'closed';
  /** Promotional credits for a new account once its address is verified; 0 for none. */
  signupCredits: number;
  /** Whether customers without a second factor only reach the pages of their own account. */
  customersNeedSecondFactor: boolean;
  /** External URLs linked from the account site. */
  outsideLinks: { credits: string | null; support: string | null };

  // Customers: teams and sharing.
  teamLog: TeamLogStore;
  collections: CollectionStore;
  shares: ShareStore;
  wall: WallStore;

  // Staff.
  audit: AuditLog;
  staffQueries: StaffQueries;
  staffWrites: StaffWrites;
  proposals: ProposalStore;
  staffSessions: StaffSessionStore;
  staffFactors: SecondFactorStore;
  passkeys: PasskeyStore;
  passkeyReader: PasskeyReader;
  /** STAFF_FACTOR: the proof required of staff besides the password. */
  staffFactor: 'any' | 'passkey';
  /** CONSOLE_URL, without a trailing slash. */
  consoleUrl: string;
  /** Larger grants and adjustments need a second admin. */
  secondPersonCredits: number;
  /** Credits that each member of support may move per UTC day. */
  supportCreditsPerDay: number;
  findIncidents(): Promise<Incident[]>;
  costs: CostReports;
  /** The value of one credit; null if not set. */
  creditValue: Money | null;
  /** Reads Agenda's jobs. */
  jobQueries: JobQueries;

  // The operator's own programs.
  operatorKeys: OperatorKeyStore;
  operatorRequests: OperatorRequestStore;
  /** Credits that one key may move per UTC day. */
  operatorCreditsPerDay: number;
  accountList: AccountList;
  feed: Feed;
  findUsage: FindUsage;
  markTakenDown: MarkTakenDown;
  /** The stored versions of the catalogue. */
  catalogues: Pick<CatalogueStore, 'listPage'>;
  /** Reads MODELS_FILE or PRICES_FILE again; null without one. */
  readCatalogueFile: () => CatalogueFile | null;
}
