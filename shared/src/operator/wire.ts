import type { erasureStates, LimitName } from './limits.ts';

/** Limits of an account by their names on the wire. */
export type OperatorLimits = Record<LimitName, number>;

/** An account as answered by the operator API. */
export interface OperatorAccount {
  id: string;
  object: 'account';
  /** The operator's own customer id. */
  external_id: string | null;
  email: string;
  email_verified: boolean;
  status: 'active' | 'suspended';
  /** The group whose prices apply; null for the usual ones. */
  group: string | null;
  limits: OperatorLimits;
  created_at: string;
}

/** Body of a create. */
export interface CreateAccountBody {
  external_id?: string;
  email: string;
  email_verified?: boolean;
  group?: string;
}

/** Body of an upsert. */
export type UpsertAccountBody = Omit<CreateAccountBody, 'external_id' | 'group'>;

/** Body of a change of the group. */
export interface ChangeGroupBody {
  group: string | null;
  reason?: string;
}

/** Body of writes that take only a reason, for the audit log. */
export interface ReasonBody {
  reason?: string;
}

/** Body of a sign-in link. */
export interface SignInLinkBody extends ReasonBody {
  return_to?: string;
}

/** A link that signs a customer in to the site. */
export interface SignInLinkAnswer {
  id: string;
  object: 'sign_in_link';
  account_id: string;
  /** Null in a repeated answer once the link has stopped working. */
  url: string | null;
  return_to: string | null;
  expires_at: string;
}

/** One page of a list. */
export interface Page<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  /** Where the next page begins. */
  next: string | null;
}

/** Query of a list. */
export interface PageQuery {
  after?: string;
  limit?: number;
}

/** Query of the list of accounts. */
export interface AccountQuery extends PageQuery {
  external_id?: string;
  email?: string;
}

/** Body of a new API key. */
export interface CreateKeyBody {
  name: string;
  models?: string[];
  hosts?: string[];
  daily_credits?: number;
  monthly_credits?: number;
}

/** Body of a rotation. */
export interface RotateKeyBody extends ReasonBody {
  overlap_seconds?: number;
}

/** Body of an approval. */
export interface ApproveHostBody extends ReasonBody {
  host: string;
}

/** An API key of a customer. */
export interface OperatorApiKey {
  id: string;
  object: 'api_key';
  account_id: string;
  name: string;
  starts: string;
  ends: string;
  works: boolean;
  models: string[] | null;
  hosts: { host: string; state: string }[];
  daily_credits: number | null;
  monthly_credits: number | null;
  made_by: string | null;
  created_at: string;
  revoked_at: string | null;
  replaced_by: string | null;
  /** Only in the first answer to its creation. */
  api_key?: string;
}

/** Body of an addition to a team. */
export interface SetMemberBody extends ReasonBody {
  member_account_id: string;
  role: TeamRole;
  monthly_credits?: number | null;
}

/** How far the erasure of an account is. */
export interface OperatorErasure {
  object: 'erasure';
  account_id: string;
  state: (typeof erasureStates)[number];
  erased: boolean;
  begins_at: string | null;
  started_at: string | null;
  done_at: string | null;
  checked_at: string | null;
  counts: { kind: string; count: number }[];
}

/** Body of a removal from a team. */
export interface RemoveMemberBody extends ReasonBody {
  keys?: 'keep' | 'revoke';
}

type TeamRole = 'owner' | 'editor' | 'member' | 'billing';

/** A member of a team. */
export interface OperatorMember {
  id: string;
  object: 'member';
  account_id: string;
  email: string;
  role: TeamRole;
  monthly_credits: number | null;
  joined_at: string;
}

/** Body of writes that require a reason. */
export interface RequiredReasonBody {
  reason: string;
}

/** Where to read a feed again after a restore of the database, and the last position that is still right. */
export interface FeedRestored {
  after: string;
  position: number;
}
