import type { Money } from '@framegate/provider-routes';
import type { Addresses } from '../generations/presentGeneration.ts';
import type { DurationStats } from '../ports/upkeep.ts';
import type { MailStore } from '../ports/site.ts';
import type { SiteDeps } from '../site/siteDeps.ts';
import type { WorkDeps } from '../generations/deps.ts';
import type { CostReports } from './costs.ts';
import type { FigureReaders } from './figures.ts';
import type { Incident } from './incidents.ts';
import type {
  AuditLog,
  PasskeyReader,
  PasskeyStore,
  ProposalStore,
  SecondFactorStore,
  StaffSessionStore,
  StaffWrites,
  Totp,
} from '../ports/staff.ts';
import type { StaffQueries } from '../ports/staffQueries.ts';

/** Dependencies of the console's use cases: the workers', the account site's, and its own. */
export interface StaffDeps {
  work: WorkDeps;
  site: SiteDeps;
  queries: StaffQueries;
  writes: StaffWrites;
  audit: AuditLog;
  proposals: ProposalStore;
  mails: Pick<MailStore, 'findUndelivered'>;
  /** Larger grants and adjustments need a second admin. */
  secondPersonCredits: number;
  /** Credits that each member of support may move per UTC day. */
  supportCreditsPerDay: number;
  figures: FigureReaders;
  findIncidents(): Promise<Incident[]>;
  costs: CostReports;
  /** The value of one credit; null if not set. */
  creditValue: Money | null;
  factors: SecondFactorStore;
  passkeys: PasskeyStore;
  passkeyReader: PasskeyReader;
  /** STAFF_FACTOR: with what staff prove themselves besides the password. */
  staffFactor: 'any' | 'passkey';
  sessions: StaffSessionStore;
  totp: Totp;
  addresses: Addresses;
  durations: DurationStats;
  keyHashes(apiKey: string): string[];
}
