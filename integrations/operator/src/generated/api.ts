/* Generated from the gateway's contract by "npm run generate": do not edit. */

export interface Account {
  id: string;
  object: 'account';
  external_id: string | null;
  email: string;
  email_verified: boolean;
  status: 'active' | 'suspended';

  /** The group in MODELS_FILE or ROUTES_FILE whose prices and routes apply; null for the defaults. */
  group: string | null;
  limits: Limits;
  created_at: string;
}

export interface AccountCredits {
  object: 'account_credits';
  account_id: string;
  unit: 'credits';

  /** Credits that can be spent now. */
  available: number;

  /** Charges of unfinished generations, already deducted from available. */
  in_flight: number;

  /** In spending order. */
  lots: Lot[];
  as_of: string;
}

export interface AccountGeneration {
  id: string;
  object: 'generation';
  type: 'video' | 'image';
  model: string;

  /** queued, then processing, then completed or failed; a queued generation may fail directly. completed and failed are final. */
  status: 'queued' | 'processing' | 'completed' | 'failed';

  /** URL to poll. */
  status_url: string;

  /** Seconds to wait before the next poll; only while queued or processing, also sent as Retry-After. */
  retry_after_seconds?: number;
  created_at: string;

  /** When it ended; only when completed or failed. */
  completed_at?: string;

  /** The effective values, including defaults and the seed. */
  parameters: EffectiveVideoParameters | EffectiveImageParameters;
  billing: Billing;

  /** Only when completed. */
  output?: Output;

  /** Only when failed. */
  error?: GenerationError;
  account_id: string;
  channel: 'api' | 'pc';
  key_id: string | null;

  /** The personal account of the person who created it on the site; null if created with a key or by you. */
  made_by: string | null;

  /** null for images. */
  mode: string | null;

  /** Empty once removed. */
  prompt: string;
}

export interface AccountList {
  object: 'list';
  data: Account[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface Adjust {
  /** Positive to add, negative to remove credits. At most the balance can be removed. */
  amount: number;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason: string;

  /** Your ID for the transaction, such as a payment. Credits are booked only once per reference, regardless of the Idempotency-Key. */
  reference?: string;

  /** The generation to which the adjustment relates. */
  generation_id?: string;
}

export interface ApiKey {
  id: string;
  object: 'api_key';
  account_id: string;
  name: string;

  /** The first characters of the key, for recognition. */
  starts: string;

  /** Its last four characters. */
  ends: string;

  /** Whether the key currently works. */
  works: boolean;

  /** null for all models. */
  models: string[] | null;
  hosts: KeyHost[];
  daily_credits: number | null;
  monthly_credits: number | null;

  /** The personal account of the team member who created it; null if created by the account holder or by you. */
  made_by: string | null;
  created_at: string;

  /** When the key stops working; in the future after a rotation. */
  revoked_at: string | null;
  replaced_by: string | null;

  /** The key itself. Returned once, at creation; replays omit it. If you lose it, rotate the key. */
  api_key?: string;
}

export interface ApiKeyList {
  object: 'list';
  data: ApiKey[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always null: all keys fit on one page. */
  next: string | null;
}

export interface ApproveHost {
  /** A host name, or *.suffix for all of its subdomains. */
  host: string;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface Billing {
  unit: 'credits';

  /** Credits charged for this generation; 0 if support delivered it without a charge. */
  cost_credits: number;
  policy: 'same_as_pc';
  status: 'charged' | 'refunded';

  /** Only when refunded: the credits refunded. */
  refunded_credits?: number;
}

export interface CatalogueVersion {
  object: 'catalogue_version';

  /** 1, 2, 3 … */
  version: number;

  /** Whether its models and prices apply now. */
  in_force: boolean;

  /** When it took or takes effect. */
  from: string;
  published_at: string;

  /** The process that published it. */
  published_by: string;

  /** Whether it was loaded from one of your files. */
  from_file: boolean;

  /** Hash of the settings it was created from. */
  hash: string;

  /** IDs of its models. */
  models: string[];

  /** Groups that have their own prices. */
  groups: string[];
}

export interface CatalogueVersionList {
  object: 'list';
  data: CatalogueVersion[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface ChangeGroup {
  /** The group in MODELS_FILE or ROUTES_FILE whose prices and routes apply; null for the defaults. */
  group: string | null;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface ChangeLimits {
  creates_per_minute?: number;
  burst?: number;
  running?: number;
  waiting?: number;
  status_reads_per_minute?: number;
  other_reads_per_minute?: number;
}

export interface ChangePlan {
  /** Your name for the plan, shown to the customer in the ledger. */
  name?: string;

  /** Credits per month, effective from the next month. */
  credits?: number;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface Compliance {
  /** Must be true: you hold the rights to the likeness. */
  rights_confirmed?: boolean;

  /** Your own reference for the consent. */
  consent_reference?: string;
}

export interface Cost {
  currency: string;
  amount: string;
}

export interface CreateAccount {
  /** Your ID for the customer, unique across all accounts. */
  external_id?: string;

  /** Case-insensitive and unique across all accounts. */
  email: string;

  /** Whether you have verified that the address belongs to the customer. Defaults to false: the customer then confirms the address when signing in to the site. */
  email_verified?: boolean;

  /** The group in MODELS_FILE or ROUTES_FILE whose prices and routes apply; null for the defaults. */
  group?: string;
}

export interface CreateImage {
  /** An image model from GET /models. */
  model: string;

  /** Description of the image. Its length is counted in characters after trimming; GET /models lists each model's limit. */
  prompt: string;

  /** Reference images, up to the model's maximum. */
  inputs?: ImageInput[];

  /** Omitted parameters use the model's defaults. */
  parameters?: ImageParameters;
}

export interface CreateKey {
  name: string;

  /** Models that the key may use; all if absent or empty. */
  models?: string[];

  /** Input hosts, approved immediately. */
  hosts?: string[];

  /** Credits that the key may spend per day (UTC); no limit if absent. */
  daily_credits?: number;

  /** Credits that the key may spend per calendar month (UTC); no limit if absent. */
  monthly_credits?: number;
}

export interface CreateSignInLink {
  /** The site page to open after sign-in. Defaults to the studio. */
  return_to?: string;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface CreateVideo {
  /** A video model from GET /models. */
  model: string;

  /** Each model offers some of these. */
  mode: 'text-to-video' | 'image-to-video' | 'multimodal-to-video';

  /** Description of the scene. Its length is counted in characters after trimming; GET /models lists each model's limit. */
  prompt: string;

  /** None for text-to-video; one or two images for image-to-video; images, videos and audio files, with at least one image or video, for multimodal-to-video. */
  inputs?: VideoInput[];

  /** Omitted parameters use the model's defaults. */
  parameters?: VideoParameters;

  /** Required with parameters.real_person_mode: true; not allowed otherwise. */
  compliance?: Compliance;
}

export interface Delivery {
  /** If failed, it was refunded; if completed, it was delivered to the customer. */
  generation_id: string;
  differences: Difference[];
}

export interface Difference {
  /** The aspect that differs: size, ratio, length, sound, files (their number), type, flat (one flat colour), still (a video that never moves), equal (identical images) or rate (too few frames per second). */
  in: string;
  ordered: string;
  delivered: string;

  /** Whether the result does not match the order. */
  gross: boolean;
}

export interface EffectiveImageParameters {
  n: number;
  aspect_ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | '3:2' | '2:3';
  resolution: '1k' | '2k' | '4k';
  output_format: 'png' | 'jpeg' | 'webp';
  seed: number;
  guidance?: number;
}

export interface EffectiveVideoParameters {
  duration_seconds: number;
  resolution: '480p' | '720p' | '1080p' | '1440p' | '2160p';
  aspect_ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9';
  generate_audio: boolean;
  seed: number;
  real_person_mode: boolean;
  guidance?: number;
}

export interface Erasure {
  object: 'erasure';
  account_id: string;

  /** `scheduled` until it begins, and can be withdrawn only until then; `erased` when everything has been removed. */
  state: 'scheduled' | 'withdrawn' | 'erasing' | 'erased';

  /** When a scheduled erasure begins. */
  begins_at: string | null;

  /** null until it begins. */
  started_at: string | null;
  done_at: string | null;

  /** When a nightly search of all data last confirmed that nothing remains; null until then. */
  checked_at: string | null;

  /** Number of items removed so far, by kind. `generations` counts those whose prompts and files were removed. */
  counts: { kind: string; count: number }[];
}

export interface Error {
  error: ErrorInfo;
}

export interface ErrorDetail {
  code: string;
  message: string;

  /** The field at fault, such as hosts[1]; null if there is no single one. */
  param: string | null;
}

export interface ErrorInfo {
  /** One of invalid_request_error, authentication_error, billing_error, permission_error, not_found_error, idempotency_error, rate_limit_error, content_policy_error, api_error; more may be added. */
  type: string;

  /** One of invalid_json, invalid_request, idempotency_key_missing, idempotency_key_invalid, input_url_invalid, invalid_api_key, insufficient_credits, key_limit_reached, price_above_limit, account_suspended, input_host_not_approved, generation_not_found, model_not_found, not_found, method_not_allowed, body_too_large, unsupported_media_type, idempotency_key_reused, consent_required, real_person_not_allowed, content_policy_violation, rate_limited, concurrency_limited, internal_error, model_unavailable, service_unavailable, clock_wrong; more may be added. */
  code: string;

  /** For people to read. Programs should check code instead. */
  message: string;

  /** The first field at fault, if there is one. */
  param: string | null;

  /** Include it when you contact support; also sent as X-Request-Id. */
  request_id: string;

  /** Whether the same request may succeed later. */
  retryable: boolean;

  /** Only with insufficient_credits. */
  credits?: { required: number; available: number };

  /** All problems with the request. With invalid_request, the code of each detail identifies the problem. */
  details: ErrorDetail[];

  /** Present only with feed_restored. */
  restored?: FeedRestored;
}

export interface Event {
  /** Stays the same whenever the event is read. */
  id: string;
  object: 'event';

  /** Position in the feed. */
  position: number;
  type:
    | 'credits.granted'
    | 'credits.charged'
    | 'credits.refunded'
    | 'credits.expired'
    | 'credits.adjusted'
    | 'credits.low'
    | 'credits.expiring'
    | 'generation.completed'
    | 'generation.failed'
    | 'generation.not_as_ordered'
    | 'key.created'
    | 'key.revoked'
    | 'plan.started'
    | 'plan.changed'
    | 'plan.ended'
    | 'provider.circuit_open'
    | 'provider.circuit_closed';

  /** null for provider events. */
  account_id: string | null;
  created_at: string;

  /** For credit events: the ledger entry. */
  ledger_entry?: LedgerEntry;

  /** For the end of a generation: its current record. */
  generation?: AccountGeneration;

  /** For API key events. */
  key?: KeyOfEvent;

  /** For credits.low. */
  low_credits?: LowCredits;

  /** For credits.expiring: lots with remaining credits that expire within a week. */
  expiring_lots?: ExpiringLot[];

  /** For generation.not_as_ordered: how the result differs from the order. */
  delivery?: Delivery;

  /** For plan events: the plan after the change. */
  plan?: Plan;

  /** For provider events. */
  provider?: ProviderOfEvent;
}

export interface EventPage {
  object: 'list';
  data: Event[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always present. Store it to request later events. */
  next: string | null;
}

export interface ExpiringLot {
  id: string;
  remaining: number;
  expires_at: string;
}

export interface FeedRestored {
  /** The cursor to resume from. */
  after: string;

  /** Discard records with a higher position: they were lost or have a new position. */
  position: number;
}

export interface GenerationError {
  /** One of invalid_request_error, authentication_error, billing_error, permission_error, not_found_error, idempotency_error, rate_limit_error, content_policy_error, api_error; more may be added. */
  type: string;

  /** One of input_unreachable, input_invalid, input_rejected, output_rejected, real_person_rejected, capacity_exceeded, generation_timeout, generation_failed, internal_error; more may be added. */
  code: string;
  message: string;

  /** The input at fault, such as inputs[1].url. */
  param: string | null;

  /** Whether a new create request may succeed. */
  retryable: boolean;
}

export interface GenerationList {
  object: 'list';
  data: AccountGeneration[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Pages may be short or empty; continue until next is null. */
  next: string | null;
}

export interface Grant {
  amount: number;
  kind: 'promotional' | 'subscription' | 'purchased';

  /** When remaining credits expire; never if absent or null. */
  expires_at?: string | null;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;

  /** Your ID for the transaction, such as a payment. Credits are booked only once per reference, regardless of the Idempotency-Key. */
  reference?: string;
}

export interface ImageInput {
  type: 'image';

  /** Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations. */
  url: string;

  /** Default reference. */
  role?: 'reference';
}

export interface ImageParameters {
  /** Number of images. Default 1. */
  n?: number;

  /** Default 1:1. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | '3:2' | '2:3';

  /** Default 1k. Each model offers some of these. */
  resolution?: '1k' | '2k' | '4k';

  /** Default png. */
  output_format?: 'png' | 'jpeg' | 'webp';

  /** Chosen by the server if omitted; always returned. */
  seed?: number;

  /** Description of content to avoid, private like the prompt. Only for models with negative_prompt in GET /models. */
  negative_prompt?: string;

  /** How closely the result follows the prompt, in steps of 0.1; the model's own default if omitted. Only for models with guidance in GET /models. */
  guidance?: number;
}

export interface KeyHost {
  host: string;
  state: 'requested' | 'approved' | 'refused';
}

export interface KeyOfEvent {
  id: string;

  /** The key that this key replaces, if any. */
  replaces: string | null;

  /** For a new key: the personal account of the team member who created it, if any. */
  made_by: string | null;

  /** For a revoked key: when it stops working, which is in the future if another key replaces it. */
  works_until: string | null;
}

export interface LedgerEntry {
  /** Unique, even after a database restore. */
  id: string;
  object: 'ledger_entry';
  account_id: string;

  /** 1, 2, 3 … per account, without gaps. */
  number: number;
  kind: 'grant' | 'charge' | 'refund' | 'expiry' | 'adjustment';

  /** Sum of the movements; negative if credits were removed. */
  amount: number;
  movements: LotMovement[];
  generation_id: string | null;
  reason: string | null;

  /** Your reference, if one was given. */
  reference: string | null;

  /** The request that created the entry. */
  request_id: string;
  created_at: string;

  /** SHA-256 of this entry and the previous hash, to verify copies. */
  hash: string;

  /** Position in the feeds; null if the entry was not read from a feed. */
  position: number | null;
}

export interface LedgerPage {
  object: 'list';
  data: LedgerEntry[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always present. Store it to request later entries. */
  next: string | null;
}

export interface Limits {
  creates_per_minute: number;
  burst: number;
  running: number;
  waiting: number;
  status_reads_per_minute: number;
  other_reads_per_minute: number;
}

export interface Lot {
  id: string;
  kind: 'promotional' | 'subscription' | 'purchased';

  /** Total credits granted to the lot; grants of the same kind and expiry share a lot. */
  amount: number;
  remaining: number;
  expires_at: string | null;
  created_at: string;
}

export interface LotMovement {
  lot_id: string;
  kind: 'promotional' | 'subscription' | 'purchased';
  amount: number;
  expires_at: string | null;
}

export interface LowCredits {
  balance: number;

  /** The value of LOW_CREDITS that the balance fell below. */
  threshold: number;
}

export interface Member {
  /** ID of the person's personal account. */
  id: string;
  object: 'member';
  account_id: string;

  /** Email address at the time of joining. */
  email: string;

  /** owner can do everything. member can create, view all work, manage their own keys, and delete and publish their own work. editor can also delete and publish the work of others. billing can view credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';
  monthly_credits: number | null;
  joined_at: string;
}

export interface MemberList {
  object: 'list';
  data: Member[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always null: all members fit on one page. */
  next: string | null;
}

export interface Output {
  /** All files; empty once they are deleted. */
  urls: string[];

  /** Only for a video, while its file is kept. */
  video_url?: string;

  /** Only for images. */
  image_urls?: string[];

  /** When these URLs expire. Read the generation again to get new ones. */
  expires_at: string;

  /** When the files were deleted. */
  deleted_at?: string;
}

export interface Plan {
  id: string;
  object: 'plan';
  account_id: string;
  name: string;

  /** Credits per month, effective from the next month. */
  credits: number;

  /** When the first month began or begins. */
  started_at: string;

  /** Number of months for which credits were granted. */
  months: number;

  /** When the next credits are granted; null once the plan has ended. */
  next_at: string | null;
  ended_at: string | null;
}

export interface ProviderOfEvent {
  /** Its name in ROUTES_FILE. */
  name: string;

  /** The affected part: the whole provider, one of its models, keys or file hosts, or its daily budget. */
  part: 'provider' | 'model' | 'key' | 'files' | 'budget';

  /** Name of the model, key or file host. */
  part_name: string | null;

  /** When it is tried again; null once it is back in service. */
  open_until: string | null;
}

export interface Quote {
  model: string;

  /** Same as for a create request; defaults apply to missing values. */
  parameters?: Record<string, unknown>;
}

export interface QuoteResponse {
  object: 'quote';
  account_id: string;
  model: string;
  unit: 'credits';
  cost_credits: number;

  /** The effective values, without a seed. */
  parameters: Record<string, unknown>;
}

export interface Reason {
  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface RemoveMember {
  /** Whether keys they created are kept or revoked: with `keep` (the default), keys continue to work within the member's limit. */
  keys?: 'keep' | 'revoke';

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface RequiredReason {
  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason: string;
}

export interface RotateKey {
  /** How long the previous key keeps working. Defaults to one day (86,400). */
  overlap_seconds?: number;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface SetMember {
  /** ID of the person's personal account. */
  member_account_id: string;

  /** owner can do everything. member can create, view all work, manage their own keys, and delete and publish their own work. editor can also delete and publish the work of others. billing can view credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';

  /** Credits that the member may spend per calendar month (UTC) on the site and with keys they created; null for no limit. If omitted, an existing limit is kept, even for a person who rejoins. */
  monthly_credits?: number | null;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface SignInLink {
  id: string;
  object: 'sign_in_link';
  account_id: string;

  /** Redirect only the customer's browser to it: whoever opens the link can sign in. null in a replay once the link has been used or has expired. */
  url: string | null;
  return_to: string | null;

  /** One minute after creation. */
  expires_at: string;
}

export interface StartPlan {
  /** Your name for the plan, shown to the customer in the ledger. */
  name: string;

  /** Credits per month, effective from the next month. */
  credits: number;

  /** When the first month begins, at most one year ahead. Defaults to now. */
  starts_at?: string;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface UpsertAccount {
  /** Case-insensitive and unique across all accounts. */
  email: string;

  /** Whether you have verified that the address belongs to the customer. Defaults to false: the customer then confirms the address when signing in to the site. */
  email_verified?: boolean;
}

export interface UsageReport {
  object: 'usage_report';
  from: string;
  to: string;

  /** Currency of revenue and margin. */
  currency: string | null;
  rows: UsageRow[];
}

export interface UsageRow {
  day: string | null;
  account_id: string | null;
  model: string | null;

  /** Generations that ended on these days. */
  generations: number;
  completed: number;
  failed: number;
  charged_credits: number;
  refunded_credits: number;

  /** Charged minus refunded credits. */
  credits: number;

  /** The value of the credits at CREDIT_VALUE; null without that setting. */
  revenue: string | null;

  /** Certain and possible provider charges, by currency. */
  costs: Cost[];

  /** Number of attempts with an unknown cost. */
  unknown_costs: number;

  /** Revenue minus costs; null if a cost is unknown or in another currency. */
  margin: string | null;
}

export interface VideoInput {
  /** Type of the file at the URL. */
  type: 'image' | 'video' | 'audio';

  /** Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations. */
  url: string;

  /** How the input is used. image-to-video takes one first_frame (the default there) and optionally one last_frame; multimodal-to-video takes reference (the default there) only. */
  role?: 'first_frame' | 'last_frame' | 'reference';
}

export interface VideoParameters {
  /** Length of the video in seconds; GET /models lists each model's limits. */
  duration_seconds?: number;

  /** Default 720p. Each model offers some of these. */
  resolution?: '480p' | '720p' | '1080p' | '1440p' | '2160p';

  /** Default 16:9. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9';

  /** Default false. Sound costs more, by the factor under pricing.audio in GET /models. */
  generate_audio?: boolean;

  /** Chosen by the server if omitted; always returned. */
  seed?: number;

  /** Default false. For inputs that show a real person; requires compliance, and a model and mode listed under real_person_modes. */
  real_person_mode?: boolean;

  /** Description of content to avoid, private like the prompt. Only for models with negative_prompt in GET /models. */
  negative_prompt?: string;

  /** How closely the result follows the prompt, in steps of 0.1; the model's own default if omitted. Only for models with guidance in GET /models. */
  guidance?: number;
}

/** Query of `listAccounts`. */
export interface ListAccountsQuery {
  /** Finds the account with this external ID. */
  external_id?: string | undefined;

  /** Finds the account with this email address. */
  email?: string | undefined;

  /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
  after?: string | undefined;

  /** Items per page; 100 by default. */
  limit?: number | undefined;
}

/** Query of `listAccountLedger`. */
export interface ListAccountLedgerQuery {
  /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
  after?: string | undefined;

  /** Items per page; 100 by default. */
  limit?: number | undefined;
}

/** Query of `listLedger`. */
export interface ListLedgerQuery {
  /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
  after?: string | undefined;

  /** Items per page; 100 by default. */
  limit?: number | undefined;
}

/** Query of `listGenerations`. */
export interface ListGenerationsQuery {
  /**  */
  status?: 'queued' | 'processing' | 'completed' | 'failed' | undefined;

  /**  */
  model?: string | undefined;

  /** api for the public API, pc for your product and the site. */
  channel?: 'api' | 'pc' | undefined;

  /** Created with this API key. */
  key_id?: string | undefined;

  /** Created at this time or later. */
  from?: string | undefined;

  /** Created before this time. */
  until?: string | undefined;

  /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
  after?: string | undefined;

  /** Items per page; 100 by default. */
  limit?: number | undefined;
}

/** Query of `listCatalogueVersions`. */
export interface ListCatalogueVersionsQuery {
  /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
  after?: string | undefined;

  /** Items per page; 100 by default. */
  limit?: number | undefined;
}

/** Query of `listEvents`. */
export interface ListEventsQuery {
  /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
  after?: string | undefined;

  /** Items per page; 100 by default. */
  limit?: number | undefined;

  /** Maximum wait if there is no new event. Without it, the response is immediate. */
  wait_seconds?: number | undefined;
}

/** Query of `getUsage`. */
export interface GetUsageQuery {
  /** The first day (UTC). */
  from: string;

  /** The last day (UTC), inclusive; at most 31 days in total. */
  to: string;

  /** The dimensions by which the rows are split. */
  by:
    | 'day'
    | 'account'
    | 'model'
    | 'day,account'
    | 'day,model'
    | 'account,model'
    | 'day,account,model';
}

/** Query of `getUsageCsv`. */
export interface GetUsageCsvQuery {
  /** The first day (UTC). */
  from: string;

  /** The last day (UTC), inclusive; at most 31 days in total. */
  to: string;

  /** The dimensions by which the rows are split. */
  by:
    | 'day'
    | 'account'
    | 'model'
    | 'day,account'
    | 'day,model'
    | 'account,model'
    | 'day,account,model';
}
