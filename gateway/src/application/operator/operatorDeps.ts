import type { Model } from '@framegate/contract';
import type { OperatorOperationId } from '@framegate/contract/operator';
import type { Money } from '@framegate/provider-routes';
import type { Limits } from '../../domain/account.ts';
import type { VersionedSecret } from '../../domain/apiKey.ts';
import type { OperatorKey } from '../../domain/operatorKey.ts';
import type { CreateDeps, WorkDeps } from '../generations/deps.ts';
import type { CatalogueStore } from '../ports/catalogue.ts';
import type { Database } from '../ports/database.ts';
import type {
  AccountList,
  Feed,
  FindUsage,
  MarkTakenDown,
  OperatorRequestStore,
  SignInLinkStore,
} from '../ports/operator.ts';
import type { Clock, Passwords, Random } from '../ports/system.ts';
import type { SiteDeps } from '../site/siteDeps.ts';
import type { AuditLog } from '../ports/staff.ts';

/** Dependencies of the operator API's use cases. */
export interface OperatorDeps {
  database: Database;
  clock: Clock;
  random: Random;
  passwords: Passwords;
  defaultLimits: Limits;
  requests: OperatorRequestStore;
  /** Makes customers' API keys. */
  pepper: VersionedSecret;
  autoApprovedHosts: readonly string[];
  /** Current and former models. */
  everyModel: () => readonly Model[];
  create: CreateDeps;
  work: WorkDeps;
  markTakenDown: MarkTakenDown;
  signInLinks: SignInLinkStore;
  findUsage: FindUsage;
  catalogues: Pick<CatalogueStore, 'page'>;
  /** The value of one credit; null if not set. */
  creditValue: Money | null;
  accountList: AccountList;
  /** Credits that one key may move per UTC day. */
  creditsPerDay: number;
  audit: AuditLog;
  site: Pick<
    SiteDeps,
    | 'sendMail'
    | 'prepareMail'
    | 'accountUrl'
    | 'attempts'
    | 'brand'
    | 'clock'
    | 'secrets'
    | 'notices'
  >;
  feed: Feed;
}

/** A call of an operation, authenticated and validated. */
export interface OperatorCall {
  operation: OperatorOperationId;
  key: OperatorKey;
  requestId: string;
  /** The caller's address. */
  address: string;
}

/** A call of an operation that writes. */
export interface OperatorWriteCall extends OperatorCall {
  /** Method and path as called; part of the Idempotency-Key's scope. */
  target: string;
  /** The Idempotency-Key header. */
  idempotencyKey: string | undefined;
  /** The body as sent. */
  body: unknown;
}

/** An answer of the operator API. */
export interface OperatorAnswer {
  status: number;
  /** JSON. */
  body: string;
  /** Whether it was already stored under the Idempotency-Key. */
  replayed: boolean;
}
