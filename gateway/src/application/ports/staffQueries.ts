/* Database queries of the staff console. */

import type { Status } from '@framegate/contract';
import type { Account, CreditRequest } from '../../domain/accounts/account.ts';
import type { ApiKey } from '../../domain/accounts/apiKey.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import type { Attempt } from '../../domain/generations/attempt.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import type {
  GenerationRef,
  NetPrice,
  OrderedModel,
  Orderer,
} from '../../domain/generations/order.ts';
import type { GenerationMoments, GenerationStatus } from '../../domain/generations/work.ts';
import type { CostLine } from '../../domain/providers/cost.ts';
import type { ProviderOrder } from '../../domain/providers/providerOrder.ts';
import type { StaffRole } from '../../domain/staff/staffRights.ts';
import type { ChartQueries } from './staffCharts.ts';

/** An Agenda job as staff see it. */
export interface JobLine {
  id: string;
  name: string;
  nextRunAt: number | null;
  lockedAt: number | null;
  lastRunAt: number | null;
  lastFinishedAt: number | null;
  failReason: string | null;
  /** The process of the last write. */
  lastModifiedBy: string | null;
}

/** The state of the work on a generation, which its job wakes. */
export interface JobWork extends Pick<Generation, 'step' | 'deadlineAt' | 'waitsFor'> {
  attempts: Pick<Attempt, 'provider' | 'finishedAt' | 'fault'>[];
}

/** A generation in a result list. */
export interface GenerationLine
  extends
    GenerationRef,
    OrderedModel,
    NetPrice,
    Pick<Orderer, 'channel' | 'keyId'>,
    Pick<GenerationMoments, 'createdAt' | 'endedAt'>,
    GenerationStatus {
  /** Provider of the last attempt; null without one. */
  provider: string | null;
}

/** The customer of list lines, with the keys that identify lines. */
export interface LineOwner {
  email: string;
  keys: readonly Pick<ApiKey, 'id' | 'name' | 'lastFour'>[];
}

/** One customer's ended generations in a list. */
export interface CustomerEnds {
  accountId: string;
  count: number;
  costCredits: number;
  refundedCredits: number;
  /** Time in ms since the epoch. */
  lastEndedAt: number;
}

/** An attempt without a result, of a generation that has ended. */
export type FailedAttempt = Pick<Attempt, 'outcome'> & {
  generationId: string;
  /** Time in ms since the epoch. */
  endedAt: number;
  /** The provider's message without the prompt. */
  note: string | null;
};

/** The attempts of ended generations on one of a provider's models. */
export interface RouteEnds extends Pick<Attempt, 'provider' | 'model'> {
  /** The latest ones without a result, newest first. */
  errors: FailedAttempt[];
  /** Number of results that differed from their orders. */
  differed: number;
}

/** Filters of a list of generations. */
export interface LineFilter {
  status: Status;
  /** Earliest end, in ms since the epoch; for ended ones. */
  since?: number;
  model?: string;
  /** Failure code; for failed ones. */
  code?: string;
  /** Provider of any attempt. */
  provider?: string;
  accountId?: string;
}

/** Filters of an account's list of generations. */
export type AccountFilter = Partial<
  Pick<GenerationStatus, 'status'> & Pick<Orderer, 'channel'> & { keyId: string }
>;

/** A page of such a list. */
export interface LinePage {
  /**
   * For ended ones, includes all that ended in the same millisecond as the last, so a page may be longer
   * than requested.
   */
  lines: GenerationLine[];
  /** Where the next page begins; null at the end. A page with a successor may be short. */
  older: string | null;
}

/** A host requested by an owner, with its key and account. */
export interface HostRequest {
  accountId: string;
  email: string;
  keyId: string;
  keyName: string;
  rule: string;
}

/** A customer who asks for credits. */
export type CreditAsker = Pick<Account, 'id' | 'email' | 'lots'> & { request: CreditRequest };

/** Staff's resolution of an unknown submission that was already refunded. */
export interface StoredResolution {
  resolvedAt: number;
  /** Whether the provider had completed it nevertheless. */
  isFound: boolean;
  by: string;
}

/** A generation with fields for staff only. */
export type StaffGeneration = Generation & { resolution?: StoredResolution | null };

/** A staff member as the console lists them. */
export interface StaffMember {
  id: string;
  email: string;
  role: StaffRole;
  isActive: boolean;
}

/** The queries of the console, all indexed. */
export interface StaffQueries extends ChartQueries {
  findGeneration(generationId: string): Promise<StaffGeneration | null>;
  /** The people of the console, admins last. */
  listStaff(limit: number): Promise<StaffMember[]>;
  /** Email addresses of the admins with console access. */
  listAdmins(limit: number): Promise<string[]>;
  findByConsentReference(reference: string, limit: number): Promise<GenerationLine[]>;
  findByOperationId(id: string, limit: number): Promise<GenerationLine[]>;
  /** The generation of an Agenda job. */
  findByJobId(jobId: string): Promise<string | null>;
  /** Accounts with a key that ends in these characters. */
  findByLastFour(lastFour: string, limit: number): Promise<Account[]>;
  /** The account's newest matching generations, like `list`. */
  listOfAccount(
    accountId: string,
    filter: AccountFilter,
    before: string | null,
    limit: number,
  ): Promise<LinePage>;
  /** The newest matching generations; inspects a bounded number per page. @param before From the previous page. */
  list(filter: LineFilter, before: string | null, limit: number): Promise<LinePage>;
  /**
   * Ended generations by customer, highest number first. Inspects a bounded number of the newest.
   * @returns `isWhole` is false if there are older ones.
   */
  countByCustomer(filter: LineFilter): Promise<{ customers: CustomerEnds[]; isWhole: boolean }>;
  /** Owners by account id. */
  findOwners(accountIds: readonly string[]): Promise<Map<string, LineOwner>>;
  /**
   * Attempts of the newest generations that ended since a time, by route.
   * @param max.ends Generations that are read.
   * @param max.errors Attempts without a result that are returned for each route.
   */
  sumRouteEnds(sinceMs: number, max: { ends: number; errors: number }): Promise<RouteEnds[]>;
  /** Generations whose id or request id starts with this text. */
  findLinesFrom(by: 'id' | 'requestId', start: string, limit: number): Promise<GenerationLine[]>;
  /** Accounts whose id, address, key id or shown key start begins with this text. */
  findAccountsFrom(
    by: 'id' | 'email' | 'keyId' | 'keyPrefix',
    start: string,
    limit: number,
  ): Promise<Account[]>;
  /** The account's ledger entries that name the generation. */
  findEntries(generation: { id: string; accountId: string }): Promise<LedgerEntry[]>;
  findJob(generationId: string): Promise<JobLine | null>;
  /** The work on these generations, by id; missing ones are left out. */
  findWorks(generationIds: readonly string[]): Promise<Map<string, JobWork>>;
  listHostRequests(limit: number): Promise<HostRequest[]>;
  /** Accounts with an open request for credits, longest waiting first. */
  listCreditRequests(limit: number): Promise<CreditAsker[]>;
  /** Unresolved submissions of unknown outcome, newest first. */
  listUnresolved(limit: number): Promise<GenerationLine[]>;
}

/** Reads the orders at providers that were placed in a time span, in ms since the epoch; page by page, oldest first. */
export type FindOrders = (fromMs: number, untilMs: number) => AsyncIterable<ProviderOrder[]>;

/** Reads the costs of attempts for generations that ended on the UTC day with this start. */
export type FindCostLines = (dayStartMs: number) => Promise<CostLine[]>;
