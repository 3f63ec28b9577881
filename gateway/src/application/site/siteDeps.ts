import type { Model } from '@framegate/contract';
import type { FetchUrl, MediaStore, TakeUpload } from '@framegate/media';
import type { Brand } from '../../domain/brand.ts';
import type { VersionedSecret } from '../../domain/apiKey.ts';
import type { Actor } from '../ports/actor.ts';
import type { SignOn } from '../ports/signOn.ts';
import type { Clock, Log, Passwords, Random } from '../ports/system.ts';
import type { SignInLinkStore } from '../ports/operator.ts';
import type { Database } from '../ports/database.ts';
import type { InvitationStore } from '../ports/invitations.ts';
import type { NoticeStore } from '../ports/notices.ts';
import type { TeamLogStore } from '../ports/teamLog.ts';
import type { CollectionStore, ShareStore, WallStore } from '../ports/wall.ts';
import type { AuditLog, Totp } from '../ports/staff.ts';
import type {
  AttemptStore,
  ConfirmationStore,
  CustomerFactorStore,
  KeyUseStore,
  PrepareMail,
  RecordSignIn,
  SendMail,
  SessionStore,
} from '../ports/site.ts';

/** Dependencies of the account site's use cases. */
export interface SiteDeps {
  database: Database;
  clock: Clock;
  actor: Actor;
  random: Random;
  log: Pick<Log, 'info' | 'warn'>;
  recordSignIn: RecordSignIn;
  audit: Pick<AuditLog, 'begin'>;
  passwords: Passwords;
  sessions: SessionStore;
  /** Sign-in links of the operator's product. */
  signInLinks: Pick<SignInLinkStore, 'find' | 'take'>;
  invitations: InvitationStore;
  confirmations: ConfirmationStore;
  attempts: AttemptStore;
  customerFactors: CustomerFactorStore;
  totp: Totp;
  keyUses: KeyUseStore;
  collections: CollectionStore;
  shares: ShareStore;
  wall: WallStore;
  teamLog: TeamLogStore;
  /** The store of uploads. */
  media: Pick<MediaStore, 'delete' | 'open'>;
  takeUpload: TakeUpload;
  /** Fetches the file of an input URL. */
  fetchUrl: FetchUrl;
  sendMail: SendMail;
  notices: NoticeStore;
  /** Null if mails go to a folder rather than a queue. */
  prepareMail: PrepareMail | null;
  /** SESSION_KEYS: the first signs, all verify. */
  secrets: readonly VersionedSecret[];
  /** Hashes new keys. */
  pepper: VersionedSecret;
  /** ACCOUNT_URL, without a trailing slash. */
  accountUrl: string;
  /** CONSOLE_URL, without a trailing slash. */
  consoleUrl: string;
  brand: Brand;
  /** Available ways to sign in. */
  ways: 'password' | 'oidc' | 'both';
  /** The sign-in provider; null without one. */
  signOn: SignOn | null;
  /** Who may sign up. */
  signUp: 'open' | 'invite' | 'closed';
  /** Promotional credits for a new account once its address is verified; 0 for none. */
  signupCredits: number;
  /** Current and former models. */
  everyModel: () => readonly Model[];
  autoApprovedHosts: readonly string[];
  /** Whether customers without a second factor only reach the pages of their own account. */
  customersNeedSecondFactor: boolean;
  /** Whether a key for real-person mode requires a second factor on the account. */
  realPersonNeedsSecondFactor: boolean;
}
