/* Generated from the gateway's contract by "npm run generate": do not edit. */

export interface Account {
  id: string;
  object: 'account';
  external_id: string | null;
  email: string;
  email_verified: boolean;
  status: 'active' | 'suspended';

  /** The group of MODELS_FILE or ROUTES_FILE whose prices and routes the account has; null for the usual ones. */
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

  /** Charges of unfinished generations, already taken from available. */
  in_flight: number;

  /** In the order in which they are spent. */
  lots: Lot[];
  as_of: string;
}

export interface AccountGeneration {
  id: string;
  object: 'generation';
  type: 'video' | 'image';
  model: string;

  /** queued, then processing, then completed or failed; a queued one may fail at once. completed and failed are final. */
  status: 'queued' | 'processing' | 'completed' | 'failed';

  /** Where to poll. */
  status_url: string;

  /** Seconds to wait before the next poll; only while queued or processing, also sent as Retry-After. */
  retry_after_seconds?: number;
  created_at: string;

  /** When it ended; only when completed or failed. */
  completed_at?: string;

  /** The values used, defaults and the seed included. */
  parameters: EffectiveVideoParameters | EffectiveImageParameters;
  billing: Billing;

  /** Only when completed. */
  output?: Output;

  /** Only when failed. */
  error?: GenerationError;
  account_id: string;
  channel: 'api' | 'pc';
  key_id: string | null;

  /** The own account of the person who made it at the site; null for keys and for you. */
  made_by: string | null;

  /** null for images. */
  mode: string | null;

  /** Empty once it has been removed. */
  prompt: string;
}

export interface AccountList {
  object: 'list';
  data: Account[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface Adjust {
  /** Positive gives, negative takes. It never takes more than the balance. */
  amount: number;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason: string;

  /** Your own id of their occasion, such as a payment. Credits are booked once under a reference, whatever the Idempotency-Key. */
  reference?: string;

  /** The generation that the adjustment is about. */
  generation_id?: string;
}

export interface ApiKey {
  id: string;
  object: 'api_key';
  account_id: string;
  name: string;

  /** The start of the key, for people. */
  starts: string;

  /** Its last four characters. */
  ends: string;

  /** Whether the key works now. */
  works: boolean;

  /** null for all models. */
  models: string[] | null;
  hosts: KeyHost[];
  daily_credits: number | null;
  monthly_credits: number | null;

  /** The own account of the member of the team who made it; null for the account's own person and for you. */
  made_by: string | null;
  created_at: string;

  /** From when on it does not work; in the future after a rotation. */
  revoked_at: string | null;
  replaced_by: string | null;

  /** The key itself, only in the first answer of its making: it is stored nowhere, so that a replay has none. If you lose it, rotate the key. */
  api_key?: string;
}

export interface ApiKeyList {
  object: 'list';
  data: ApiKey[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null: all keys are in one page. */
  next: string | null;
}

export interface ApproveHost {
  /** A host name, or *.suffix for all names below it. */
  host: string;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface Billing {
  unit: 'credits';

  /** Credits charged for this generation; 0 if support delivered it without a charge. */
  cost_credits: number;
  policy: 'same_as_pc';
  status: 'charged' | 'refunded';

  /** Only when refunded: the credits given back. */
  refunded_credits?: number;
}

export interface CatalogueVersion {
  object: 'catalogue_version';

  /** 1, 2, 3 … */
  version: number;

  /** Whether its models and prices hold now. */
  in_force: boolean;

  /** When it began or begins. */
  from: string;
  published_at: string;

  /** The process that published it. */
  published_by: string;

  /** Whether it is from a file of yours. */
  from_file: boolean;

  /** Of the settings that it was made from. */
  hash: string;

  /** The ids of its models. */
  models: string[];

  /** The groups with prices of their own. */
  groups: string[];
}

export interface CatalogueVersionList {
  object: 'list';
  data: CatalogueVersion[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface ChangeGroup {
  /** The group of MODELS_FILE or ROUTES_FILE whose prices and routes the account has; null for the usual ones. */
  group: string | null;

  /** Why, for the audit log and, with credits, for the ledger. */
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
  /** Your name of the plan, which the ledger shows to the customer. */
  name?: string;

  /** Credits of each month, from the next one on. */
  credits?: number;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface Compliance {
  /** Must be true: you hold the rights to the likeness. */
  rights_confirmed?: boolean;

  /** Your own reference to the consent. */
  consent_reference?: string;
}

export interface Cost {
  currency: string;
  amount: string;
}

export interface CreateAccount {
  /** Your own id of the customer, unique among all accounts. */
  external_id?: string;

  /** Compared without regard to case; each account has its own. */
  email: string;

  /** Whether you know that the address belongs to the customer; false if absent. Without it, the customer confirms the address when signing in to the site. */
  email_verified?: boolean;

  /** The group of MODELS_FILE or ROUTES_FILE whose prices and routes the account has; null for the usual ones. */
  group?: string;
}

export interface CreateImage {
  /** An image model of GET /models. */
  model: string;

  /** Description of the picture. Counted in characters after trimming; the limit of each model is in GET /models. */
  prompt: string;

  /** Reference images, up to the number of the model. */
  inputs?: ImageInput[];

  /** A missing parameter takes the default of the model. */
  parameters?: ImageParameters;
}

export interface CreateKey {
  name: string;

  /** Models that the key may use; all if absent or empty. */
  models?: string[];

  /** Input hosts, approved at once. */
  hosts?: string[];

  /** Credits that the key may spend per day (UTC); no limit if absent. */
  daily_credits?: number;

  /** Credits that the key may spend per calendar month (UTC); no limit if absent. */
  monthly_credits?: number;
}

export interface CreateSignInLink {
  /** The page of the site that opens after the sign-in; the studio if absent. */
  return_to?: string;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface CreateVideo {
  /** A video model of GET /models. */
  model: string;

  /** Each model offers some of these. */
  mode: 'text-to-video' | 'image-to-video' | 'multimodal-to-video';

  /** Description of the scene. Counted in characters after trimming; the limit of each model is in GET /models. */
  prompt: string;

  /** None for text-to-video; one or two images for image-to-video; images, videos and audios, with at least one image or video, for multimodal-to-video. */
  inputs?: VideoInput[];

  /** A missing parameter takes the default of the model. */
  parameters?: VideoParameters;

  /** Only together with parameters.real_person_mode: true, and then required. */
  compliance?: Compliance;
}

export interface Delivery {
  /** A failed one was refunded; a completed one has reached the customer. */
  generation_id: string;
  differences: Difference[];
}

export interface Difference {
  /** size, ratio, length, sound, files, type, flat, still, equal or rate. */
  in: string;
  ordered: string;
  delivered: string;

  /** Whether it does not match the order. */
  gross: boolean;
}

export interface EffectiveImageParameters {
  n: number;
  aspect_ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | '3:2' | '2:3';
  resolution: '1k' | '2k' | '4k';
  output_format: 'png' | 'jpeg' | 'webp';
  seed: number;
}

export interface EffectiveVideoParameters {
  duration_seconds: number;
  resolution: '480p' | '720p' | '1080p' | '2160p';
  aspect_ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9';
  generate_audio: boolean;
  seed: number;
  real_person_mode: boolean;
}

export interface Erasure {
  object: 'erasure';
  account_id: string;

  /** `scheduled` until it begins; only then can it be `withdrawn`. */
  state: 'scheduled' | 'withdrawn' | 'erasing' | 'erased';

  /** false until everything is gone. */
  erased: boolean;

  /** While scheduled. */
  begins_at: string | null;

  /** null before it begins. */
  started_at: string | null;
  done_at: string | null;

  /** The last nightly search of all data that found nothing more; null before. */
  checked_at: string | null;

  /** What was removed so far, by kind; `generations` lost their prompts and files. */
  counts: { kind: string; count: number }[];
}

export interface Error {
  error: ErrorInfo;
}

export interface ErrorDetail {
  /** The field at fault, such as inputs[1].url. */
  param: string;
  code: string;
  message: string;
}

export interface ErrorInfo {
  /** One of invalid_request_error, authentication_error, billing_error, permission_error, not_found_error, idempotency_error, rate_limit_error, content_policy_error, api_error; more may be added. */
  type: string;

  /** One of invalid_json, invalid_request, idempotency_key_missing, idempotency_key_invalid, input_url_invalid, invalid_api_key, insufficient_credits, key_limit_reached, price_above_limit, account_suspended, input_host_not_approved, generation_not_found, model_not_found, not_found, method_not_allowed, body_too_large, unsupported_media_type, idempotency_key_reused, consent_required, real_person_not_allowed, content_policy_violation, rate_limited, concurrency_limited, internal_error, model_unavailable, service_unavailable, clock_wrong; more may be added. */
  code: string;

  /** For people. Branch on code, not on this. */
  message: string;

  /** The first field at fault, if there is one. */
  param: string | null;

  /** Tell it to support; also sent as X-Request-Id. */
  request_id: string;

  /** Whether the same request may succeed later. */
  retryable: boolean;

  /** Every problem of the request. */
  details: ErrorDetail[];

  /** Only with insufficient_credits. */
  credits?: { required: number; available: number };

  /** Only with feed_restored. */
  restored?: FeedRestored;
}

export interface Event {
  /** The same whenever the event is read. */
  id: string;
  object: 'event';

  /** Its place in the feed. */
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
    | 'provider.closed_off'
    | 'provider.in_service';

  /** null for an event of a provider. */
  account_id: string | null;
  created_at: string;

  /** Of an event about credits: the entry of the ledger. */
  ledger_entry?: LedgerEntry;

  /** Of the end of a generation: its record as it is now. */
  generation?: AccountGeneration;

  /** Of an event about an API key. */
  key?: KeyOfEvent;

  /** Of credits.low. */
  low_credits?: LowCredits;

  /** Of credits.expiring: lots that expire within a week and hold credits. */
  expiring_lots?: ExpiringLot[];

  /** Of generation.not_as_ordered: how the result differs from the order. */
  delivery?: Delivery;

  /** Of an event about a plan: as the change left it. */
  plan?: Plan;

  /** Of an event about a provider. */
  provider?: ProviderOfEvent;
}

export interface EventPage {
  object: 'list';
  data: Event[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** Always there: keep it, and ask with it for later events. */
  next: string | null;
}

export interface ExpiringLot {
  id: string;
  remaining: number;
  expires_at: string;
}

export interface FeedRestored {
  /** The cursor from which to read again. */
  after: string;

  /** What you hold with a higher position was lost, or has another one now. */
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

  /** Whether a new create may succeed. */
  retryable: boolean;
}

export interface GenerationList {
  object: 'list';
  data: AccountGeneration[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null at the end. A page may be short, or empty, before that: ask on. */
  next: string | null;
}

export interface Grant {
  amount: number;
  kind: 'promotional' | 'subscription' | 'purchased';

  /** When the rest of the credits expires; never if absent or null. */
  expires_at?: string | null;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;

  /** Your own id of their occasion, such as a payment. Credits are booked once under a reference, whatever the Idempotency-Key. */
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
  /** How many images. Default 1. */
  n?: number;

  /** Default 1:1. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | '3:2' | '2:3';

  /** Default 1k. Each model offers some of these. */
  resolution?: '1k' | '2k' | '4k';

  /** Default png. */
  output_format?: 'png' | 'jpeg' | 'webp';

  /** Chosen by the server when missing, and echoed either way. */
  seed?: number;
}

export interface KeyHost {
  host: string;
  state: 'requested' | 'approved' | 'refused';
}

export interface KeyOfEvent {
  id: string;

  /** The key whose place it takes, if any. */
  replaces: string | null;

  /** Of a new key: the own account of the member of the team who made it, if any. */
  made_by: string | null;

  /** Of a revoked key: in the future where another one replaces it. */
  works_until: string | null;
}

export interface LedgerEntry {
  /** Of this entry alone, also after a restore of the database. */
  id: string;
  object: 'ledger_entry';
  account_id: string;

  /** 1, 2, 3 … for each account, without gaps. */
  number: number;
  kind: 'grant' | 'charge' | 'refund' | 'expiry' | 'adjustment';

  /** The sum of the movements; negative where taken. */
  amount: number;
  movements: LotMovement[];
  generation_id: string | null;
  reason: string | null;

  /** Yours, if the entry was made with one. */
  reference: string | null;

  /** The request that made it. */
  request_id: string;
  created_at: string;

  /** SHA-256 of this entry and of the hash before it, which proves a copy. */
  hash: string;

  /** Its place in the feeds; null where the entry was read otherwise. */
  position: number | null;
}

export interface LedgerPage {
  object: 'list';
  data: LedgerEntry[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** Always there: keep it, and ask with it for later entries. */
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

  /** Credits that the lot was given; equal grants add up in one lot. */
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

  /** LOW_CREDITS, which the balance fell below. */
  threshold: number;
}

export interface Member {
  /** The person's own account. */
  id: string;
  object: 'member';
  account_id: string;

  /** Their address when they joined. */
  email: string;

  /** An owner may do everything; a member creates, sees the work, manages own keys, and deletes and publishes own work; an editor also what others made; billing sees credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';
  monthly_credits: number | null;
  joined_at: string;
}

export interface MemberList {
  object: 'list';
  data: Member[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null: all members are in one page. */
  next: string | null;
}

export interface Output {
  /** All files; empty once they are deleted. */
  urls: string[];

  /** Only for a video, while its file is kept. */
  video_url?: string;

  /** Only for images. */
  image_urls?: string[];

  /** When these URLs stop working. Read the generation again for new ones. */
  expires_at: string;

  /** When the files were deleted. */
  deleted_at?: string;
}

export interface Plan {
  id: string;
  object: 'plan';
  account_id: string;
  name: string;

  /** Of each month, from the next one on. */
  credits: number;

  /** When its first month began or begins. */
  started_at: string;

  /** Months whose credits were granted. */
  months: number;

  /** When the next credits come; null once it has ended. */
  next_at: string | null;
  ended_at: string | null;
}

export interface ProviderOfEvent {
  /** Its name in ROUTES_FILE. */
  name: string;

  /** Whether all of it is meant, one of its models, keys or file hosts, or its daily budget. */
  part: 'provider' | 'model' | 'key' | 'files' | 'budget';

  /** Of the model, key or file host. */
  part_name: string | null;

  /** When it is tried again; null once it is in service. */
  rests_until: string | null;
}

export interface Quote {
  model: string;

  /** As in a create; missing values take the defaults. */
  parameters?: Record<string, unknown>;
}

export interface QuoteAnswer {
  object: 'quote';
  account_id: string;
  model: string;
  unit: 'credits';
  cost_credits: number;

  /** The effective values, without a seed. */
  parameters: Record<string, unknown>;
}

export interface Reason {
  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface RemoveMember {
  /** What becomes of keys that they made: `keep` (the default) lets them work on within the member’s limit. */
  keys?: 'keep' | 'revoke';

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface RequiredReason {
  /** Why, for the audit log and, with credits, for the ledger. */
  reason: string;
}

export interface RotateKey {
  /** How long the former key still works; a day (86,400) if absent. */
  overlap_seconds?: number;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface SetMember {
  /** The person's own account. */
  member_account_id: string;

  /** An owner may do everything; a member creates, sees the work, manages own keys, and deletes and publishes own work; an editor also what others made; billing sees credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';

  /** Credits that the member may spend per calendar month (UTC), at the site and by keys that they made; null for no limit. If absent, a known limit stays, also that of a person who comes back. */
  monthly_credits?: number | null;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface SignInLink {
  id: string;
  object: 'sign_in_link';
  account_id: string;

  /** Send the browser of the customer there, and nobody else: whoever opens it can sign in. null in a repeated answer once the link was used or its minute is over. */
  url: string | null;
  return_to: string | null;

  /** A minute after the link was made. */
  expires_at: string;
}

export interface StartPlan {
  /** Your name of the plan, which the ledger shows to the customer. */
  name: string;

  /** Credits of each month, from the next one on. */
  credits: number;

  /** When its first month begins, within the next year; now if absent. */
  starts_at?: string;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface UpsertAccount {
  /** Compared without regard to case; each account has its own. */
  email: string;

  /** Whether you know that the address belongs to the customer; false if absent. Without it, the customer confirms the address when signing in to the site. */
  email_verified?: boolean;
}

export interface UsageReport {
  object: 'usage_report';
  from: string;
  to: string;

  /** Of revenue and margin. */
  currency: string | null;
  rows: UsageRow[];
}

export interface UsageRow {
  day: string | null;
  account_id: string | null;
  model: string | null;

  /** Those that ended on these days. */
  generations: number;
  completed: number;
  failed: number;
  charged_credits: number;
  refunded_credits: number;

  /** Charged less refunded. */
  credits: number;

  /** The credits at CREDIT_VALUE; null without that setting. */
  revenue: string | null;

  /** Certain and possible charges of the providers, by currency. */
  costs: Cost[];

  /** Attempts whose cost is not known. */
  unknown_costs: number;

  /** Revenue less costs; null where a cost is unknown or in another currency. */
  margin: string | null;
}

export interface VideoInput {
  /** Type of the file behind the URL. */
  type: 'image' | 'video' | 'audio';

  /** Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations. */
  url: string;

  /** Use of the input. image-to-video takes one first_frame (the default there) and optionally one last_frame; multimodal-to-video takes reference (the default there) only. */
  role?: 'first_frame' | 'last_frame' | 'reference';
}

export interface VideoParameters {
  /** Length of the video in seconds; the bounds of each model are in GET /models. */
  duration_seconds?: number;

  /** Default 720p. Each model offers some of these. */
  resolution?: '480p' | '720p' | '1080p' | '2160p';

  /** Default 16:9. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9';

  /** Default false. Sound costs more, by the factor under pricing.audio in GET /models. */
  generate_audio?: boolean;

  /** Chosen by the server when missing, and echoed either way. */
  seed?: number;

  /** Default false. For inputs that show a real person; needs compliance, and a model and mode listed under real_person_modes. */
  real_person_mode?: boolean;
}

/** Query of `listAccounts`. */
export interface ListAccountsQuery {
  /** Finds the account with this external id. */
  external_id?: string | undefined;

  /** Finds the account with this e-mail address. */
  email?: string | undefined;

  /** The next of an earlier page of the same list; without it the list begins. */
  after?: string | undefined;

  /** How many; 100 if absent. */
  limit?: number | undefined;
}

/** Query of `listAccountLedger`. */
export interface ListAccountLedgerQuery {
  /** The next of an earlier page of the same list; without it the list begins. */
  after?: string | undefined;

  /** How many; 100 if absent. */
  limit?: number | undefined;
}

/** Query of `listLedger`. */
export interface ListLedgerQuery {
  /** The next of an earlier page of the same list; without it the list begins. */
  after?: string | undefined;

  /** How many; 100 if absent. */
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

  /** Made with this API key. */
  key_id?: string | undefined;

  /** Created then or later. */
  from?: string | undefined;

  /** Created before. */
  until?: string | undefined;

  /** The next of an earlier page of the same list; without it the list begins. */
  after?: string | undefined;

  /** How many; 100 if absent. */
  limit?: number | undefined;
}

/** Query of `listCatalogueVersions`. */
export interface ListCatalogueVersionsQuery {
  /** The next of an earlier page of the same list; without it the list begins. */
  after?: string | undefined;

  /** How many; 100 if absent. */
  limit?: number | undefined;
}

/** Query of `listEvents`. */
export interface ListEventsQuery {
  /** The next of an earlier page of the same list; without it the list begins. */
  after?: string | undefined;

  /** How many; 100 if absent. */
  limit?: number | undefined;

  /** How long to wait where there is no event yet; without it the answer comes at once. */
  wait_seconds?: number | undefined;
}

/** Query of `getUsage`. */
export interface GetUsageQuery {
  /** The first day (UTC). */
  from: string;

  /** The last day (UTC), inclusive: 31 days at most. */
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

  /** The last day (UTC), inclusive: 31 days at most. */
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
