/* Generated from the gateway's contract by "npm run generate": do not edit. */

import type { FollowOptions, ReadOptions, Sender, WriteOptions } from '../operation.ts';
import { follow, iterate } from '../pages.ts';
import type {
  Account,
  AccountCredits,
  AccountGeneration,
  AccountList,
  Adjust,
  ApiKey,
  ApiKeyList,
  ApproveHost,
  CatalogueVersion,
  CatalogueVersionList,
  ChangeGroup,
  ChangeLimits,
  ChangePlan,
  CreateAccount,
  CreateImage,
  CreateKey,
  CreateSignInLink,
  CreateVideo,
  Erasure,
  EventPage,
  GenerationList,
  GetUsageCsvQuery,
  GetUsageQuery,
  Grant,
  LedgerEntry,
  LedgerPage,
  ListAccountLedgerQuery,
  ListAccountsQuery,
  ListCatalogueVersionsQuery,
  ListEventsQuery,
  ListGenerationsQuery,
  ListLedgerQuery,
  Member,
  MemberList,
  Plan,
  Quote,
  QuoteResponse,
  Reason,
  RemoveMember,
  RequiredReason,
  RotateKey,
  SetMember,
  SignInLink,
  StartPlan,
  UpsertAccount,
  UsageReport,
} from './api.ts';

/** The operations of the API. */
export abstract class Operations {
  protected abstract readonly sender: Sender;

  /**
   * Create an account. The account starts without credits and without a password. The owner can set a password on
   * the site with an emailed code. Scope: `accounts:write`.
   */
  createAccount(body: CreateAccount, options: WriteOptions = {}): Promise<Account> {
    return this.sender.send<Account>({
      method: 'POST',
      path: ['/accounts'],
      object: 'account',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * List accounts, or find one. Sorted by creation time. With external_id or email, returns at most one account.
   * Staff accounts are not listed. Scope: `accounts:read`.
   */
  listAccounts(query: ListAccountsQuery = {}, options: ReadOptions = {}): Promise<AccountList> {
    return this.sender.send<AccountList>({
      method: 'GET',
      path: ['/accounts'],
      object: 'list',
      query,
      options,
    });
  }

  /** List accounts, or find one: one after the other, however many pages there are. */
  iterateAccounts(
    query: ListAccountsQuery = {},
    options: ReadOptions = {},
  ): AsyncGenerator<Account, void, undefined> {
    const { after: begin, ...filters } = query;
    return iterate((after) => this.listAccounts({ ...filters, after }, options), begin);
  }

  /**
   * Create or update the account of a customer. Creates the account if no account has this external ID; otherwise
   * sets its email address, for which the key also needs `emails:write`. Because a different address may belong to
   * another person, changing it removes the password, linked sign-ins, two-factor authentication, sessions and
   * team memberships. API keys are kept, and the previous address is notified. Returns the account in both cases.
   * Scope: `accounts:write`.
   */
  upsertAccount(
    externalId: string,
    body: UpsertAccount,
    options: WriteOptions = {},
  ): Promise<Account> {
    return this.sender.send<Account>({
      method: 'PUT',
      path: ['/accounts/by-external-id/', { value: externalId }],
      object: 'account',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Read an account. Returns the limits in effect: the account's own limits, or else the gateway defaults. Scope:
   * `accounts:read`.
   */
  getAccount(accountId: string, options: ReadOptions = {}): Promise<Account> {
    return this.sender.send<Account>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }],
      object: 'account',
      options,
    });
  }

  /**
   * Suspend an account. The account can no longer create generations; running ones continue. Scope:
   * `accounts:write`.
   */
  suspendAccount(
    accountId: string,
    body: Reason = {},
    options: WriteOptions = {},
  ): Promise<Account> {
    return this.sender.send<Account>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/suspend'],
      object: 'account',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Resume an account. Allows a suspended account to create generations again. Scope: `accounts:write`.
   */
  resumeAccount(
    accountId: string,
    body: Reason = {},
    options: WriteOptions = {},
  ): Promise<Account> {
    return this.sender.send<Account>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/resume'],
      object: 'account',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Set the limits of an account. Omitted limits are unchanged. Scope: `accounts:write`.
   */
  changeLimits(
    accountId: string,
    body: ChangeLimits = {},
    options: WriteOptions = {},
  ): Promise<Account> {
    return this.sender.send<Account>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/limits'],
      object: 'account',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Erase an account. Schedules the erasure to begin after one day. Until then, you can withdraw it, and so can
   * the customer, who is notified by email. A call with a second operator key begins it immediately, so that no
   * single key can erase an account unnoticed. An erasure cannot be undone: address, external ID, password, keys
   * and sessions are removed immediately; prompts, files, emails, team memberships and all other personal data are
   * removed in the background (see `GET /accounts/{account_id}/erasure`). The ledger and the suspended account are
   * kept under the account ID. A scheduled erasure waits for unfinished generations; an immediate one is refused
   * while there are any. Repeat the call to retry any step that failed. Scope: `accounts:erase`.
   */
  eraseAccount(accountId: string, body: Reason = {}, options: WriteOptions = {}): Promise<Erasure> {
    return this.sender.send<Erasure>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/erase'],
      object: 'erasure',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Withdraw a scheduled erasure. Withdraws the erasure before anything is erased. Refused once the erasure has
   * begun. Scope: `accounts:write`.
   */
  withdrawErasure(
    accountId: string,
    body: Reason = {},
    options: WriteOptions = {},
  ): Promise<Erasure> {
    return this.sender.send<Erasure>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/erasure/withdraw'],
      object: 'erasure',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Read the receipt of an erasure. Returns the progress of the erasure and the number of removed items by kind.
   * Scope: `accounts:read`.
   */
  getErasure(accountId: string, options: ReadOptions = {}): Promise<Erasure> {
    return this.sender.send<Erasure>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }, '/erasure'],
      object: 'erasure',
      options,
    });
  }

  /**
   * Assign an account to a group. From then on the group's prices apply to the account. Accepted generations keep
   * their price. Requests with an API key may show the previous prices for up to five seconds. Scope:
   * `accounts:write`.
   */
  changeGroup(accountId: string, body: ChangeGroup, options: WriteOptions = {}): Promise<Account> {
    return this.sender.send<Account>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/group'],
      object: 'account',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Sign a customer in to the site. Returns a single-use link that is valid for one minute. It opens a page that
   * shows the account's email address and a button to sign in. A second factor that the customer has enabled is
   * still required. Repeating the request with its Idempotency-Key returns the same link while it is valid. Scope:
   * `sign-in-links:write`.
   */
  createSignInLink(
    accountId: string,
    body: CreateSignInLink = {},
    options: WriteOptions = {},
  ): Promise<SignInLink> {
    return this.sender.send<SignInLink>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/sign-in-links'],
      object: 'sign_in_link',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Read the balance and lots. Includes spent lots for as long as the account keeps them. Scope: `credits:read`.
   */
  getCredits(accountId: string, options: ReadOptions = {}): Promise<AccountCredits> {
    return this.sender.send<AccountCredits>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }, '/credits'],
      object: 'account_credits',
      options,
    });
  }

  /**
   * Grant credits. Adds the credits to the lot of this kind and expiry, or opens a new lot, and returns the ledger
   * entry. Repeating a grant with the same reference returns the first entry and grants nothing. An account can
   * hold at most 1,000 lots with credits. Scope: `credits:write`.
   */
  grantCredits(accountId: string, body: Grant, options: WriteOptions = {}): Promise<LedgerEntry> {
    return this.sender.send<LedgerEntry>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/credits/grants'],
      object: 'ledger_entry',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Adjust credits. Adds or removes credits, for example after a dispute, and returns the ledger entry. Each
   * generation can be adjusted at most once. Scope: `credits:write`.
   */
  adjustCredits(accountId: string, body: Adjust, options: WriteOptions = {}): Promise<LedgerEntry> {
    return this.sender.send<LedgerEntry>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/credits/adjustments'],
      object: 'ledger_entry',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Read the ledger of an account. Sorted by entry number, oldest first. Scope: `credits:read`.
   */
  listAccountLedger(
    accountId: string,
    query: ListAccountLedgerQuery = {},
    options: ReadOptions = {},
  ): Promise<LedgerPage> {
    return this.sender.send<LedgerPage>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }, '/ledger'],
      object: 'list',
      query,
      options,
    });
  }

  /** Read the ledger of an account: one after the other, however many pages there are. */
  iterateAccountLedger(
    accountId: string,
    query: ListAccountLedgerQuery = {},
    options: ReadOptions = {},
  ): AsyncGenerator<LedgerEntry, void, undefined> {
    const { after: begin, ...filters } = query;
    return iterate(
      (after) => this.listAccountLedger(accountId, { ...filters, after }, options),
      begin,
    );
  }

  /**
   * Follow the ledgers of all accounts. Returns every entry once, in a fixed order; entries of one account are in
   * the order of their numbers. Reading from cursor to cursor neither skips nor repeats entries, however many
   * processes write. After a database restore, feed_restored names the cursor to resume from. Scope:
   * `credits:read`.
   */
  listLedger(query: ListLedgerQuery = {}, options: ReadOptions = {}): Promise<LedgerPage> {
    return this.sender.send<LedgerPage>({
      method: 'GET',
      path: ['/ledger'],
      object: 'list',
      query,
      options,
    });
  }

  /**
   * Follow the ledgers of all accounts: the pages that have something, from a cursor on, and those to come, until the signal is aborted. Store
   * `next` once you have acted on a page.
   */
  followLedger(
    query: ListLedgerQuery = {},
    options: FollowOptions = {},
  ): AsyncGenerator<LedgerPage & { next: string }, void, undefined> {
    const { after: begin, ...given } = query;
    const filters = { ...given };
    return follow(this.sender, (after) => this.listLedger({ ...filters, after }, options), {
      ...options,
      after: begin,
      restMs: 10000,
    });
  }

  /**
   * Read the plan of an account. Returns the latest plan, even if it has ended. Scope: `credits:read`.
   */
  getPlan(accountId: string, options: ReadOptions = {}): Promise<Plan> {
    return this.sender.send<Plan>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }, '/plan'],
      object: 'plan',
      options,
    });
  }

  /**
   * Start a plan. Credits are granted each month on the same day and time (UTC), or on the last day of a shorter
   * month, as a subscription lot that expires at the next grant. The first credits are granted immediately unless
   * the plan starts later. An account can have one plan at a time. Scope: `credits:write`.
   */
  startPlan(accountId: string, body: StartPlan, options: WriteOptions = {}): Promise<Plan> {
    return this.sender.send<Plan>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/plan'],
      object: 'plan',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Change a plan. Takes effect from the next month; omitted fields are unchanged. To add credits immediately,
   * grant the difference. Scope: `credits:write`.
   */
  changePlan(accountId: string, body: ChangePlan = {}, options: WriteOptions = {}): Promise<Plan> {
    return this.sender.send<Plan>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/plan/change'],
      object: 'plan',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * End a plan. No further credits are granted; granted credits remain until they expire. Scope: `credits:write`.
   */
  endPlan(accountId: string, body: Reason = {}, options: WriteOptions = {}): Promise<Plan> {
    return this.sender.send<Plan>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/plan/end'],
      object: 'plan',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Create an API key for a customer. Returns the key itself in api_key. It cannot be retrieved later. Scope:
   * `keys:write`.
   */
  createKey(accountId: string, body: CreateKey, options: WriteOptions = {}): Promise<ApiKey> {
    return this.sender.send<ApiKey>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/keys'],
      object: 'api_key',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * List the API keys of an account. Active keys and the most recently revoked ones, oldest first. Scope:
   * `keys:read`.
   */
  listKeys(accountId: string, options: ReadOptions = {}): Promise<ApiKeyList> {
    return this.sender.send<ApiKeyList>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }, '/keys'],
      object: 'list',
      options,
    });
  }

  /** List the API keys of an account: one after the other, however many pages there are. */
  iterateKeys(
    accountId: string,
    options: ReadOptions = {},
  ): AsyncGenerator<ApiKey, void, undefined> {
    return iterate(() => this.listKeys(accountId, options), undefined);
  }

  /**
   * Replace an API key. Returns a new key with the same name, models, hosts and limits. The previous key keeps
   * working for the overlap period. Scope: `keys:write`.
   */
  rotateKey(
    accountId: string,
    keyId: string,
    body: RotateKey = {},
    options: WriteOptions = {},
  ): Promise<ApiKey> {
    return this.sender.send<ApiKey>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/keys/', { value: keyId }, '/rotate'],
      object: 'api_key',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Revoke an API key. Revokes the key permanently: immediately for create requests, within five seconds for
   * reads. Scope: `keys:write`.
   */
  revokeKey(
    accountId: string,
    keyId: string,
    body: Reason = {},
    options: WriteOptions = {},
  ): Promise<ApiKey> {
    return this.sender.send<ApiKey>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/keys/', { value: keyId }, '/revoke'],
      object: 'api_key',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Approve an input host for an API key. Works whether or not the owner has requested the host. Scope:
   * `keys:write`.
   */
  approveHost(
    accountId: string,
    keyId: string,
    body: ApproveHost,
    options: WriteOptions = {},
  ): Promise<ApiKey> {
    return this.sender.send<ApiKey>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/keys/', { value: keyId }, '/hosts'],
      object: 'api_key',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * List the members of a team. The people who can act for the account, besides the account holder, who is always
   * an owner. Members sign in with their personal accounts. Scope: `accounts:read`.
   */
  listMembers(accountId: string, options: ReadOptions = {}): Promise<MemberList> {
    return this.sender.send<MemberList>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }, '/members'],
      object: 'list',
      options,
    });
  }

  /** List the members of a team: one after the other, however many pages there are. */
  iterateMembers(
    accountId: string,
    options: ReadOptions = {},
  ): AsyncGenerator<Member, void, undefined> {
    return iterate(() => this.listMembers(accountId, options), undefined);
  }

  /**
   * Add or change a member of a team. No invitation is sent: the person can act for the account immediately. An
   * existing member is given the new role. If the role does not include keys, keys they created are refused.
   * Scope: `members:write`.
   */
  setMember(accountId: string, body: SetMember, options: WriteOptions = {}): Promise<Member> {
    return this.sender.send<Member>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/members'],
      object: 'member',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Remove a team member. The person's sessions lose access to the account immediately. Keys they created keep
   * working within their limit unless `keys` revokes them. Returns the member before the removal. Scope:
   * `members:write`.
   */
  removeMember(
    accountId: string,
    memberId: string,
    body: RemoveMember = {},
    options: WriteOptions = {},
  ): Promise<Member> {
    return this.sender.send<Member>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/members/', { value: memberId }, '/remove'],
      object: 'member',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Price a generation. Applies the same rules as a create request without creating anything. No Idempotency-Key
   * is required. Scope: `generations:read`.
   */
  quote(accountId: string, body: Quote, options: ReadOptions = {}): Promise<QuoteResponse> {
    return this.sender.send<QuoteResponse>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/quotes'],
      object: 'quote',
      body,
      options,
    });
  }

  /**
   * Create a video for a customer. Priced, charged and refunded like a request to the public API, in the channel
   * pc. Input hosts approved for any active key of the account are allowed. The body is the same as for POST
   * /v1/videos. Scope: `generations:write`.
   */
  createVideo(
    accountId: string,
    body: CreateVideo,
    options: WriteOptions = {},
  ): Promise<AccountGeneration> {
    return this.sender.send<AccountGeneration>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/videos'],
      object: 'generation',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Create images for a customer. Priced, charged and refunded like a request to the public API, in the channel
   * pc. Input hosts approved for any active key of the account are allowed. The body is the same as for POST
   * /v1/images. Scope: `generations:write`.
   */
  createImage(
    accountId: string,
    body: CreateImage,
    options: WriteOptions = {},
  ): Promise<AccountGeneration> {
    return this.sender.send<AccountGeneration>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/images'],
      object: 'generation',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * List the generations of an account. Newest first, including generations from the public API and from your
   * product. Scope: `generations:read`.
   */
  listGenerations(
    accountId: string,
    query: ListGenerationsQuery = {},
    options: ReadOptions = {},
  ): Promise<GenerationList> {
    return this.sender.send<GenerationList>({
      method: 'GET',
      path: ['/accounts/', { value: accountId }, '/generations'],
      object: 'list',
      query,
      options,
    });
  }

  /** List the generations of an account: one after the other, however many pages there are. */
  iterateGenerations(
    accountId: string,
    query: ListGenerationsQuery = {},
    options: ReadOptions = {},
  ): AsyncGenerator<AccountGeneration, void, undefined> {
    const { after: begin, ...filters } = query;
    return iterate(
      (after) => this.listGenerations(accountId, { ...filters, after }, options),
      begin,
    );
  }

  /**
   * Read a generation. Reading is free of charge and calls no provider. Scope: `generations:read`.
   */
  getGeneration(generationId: string, options: ReadOptions = {}): Promise<AccountGeneration> {
    return this.sender.send<AccountGeneration>({
      method: 'GET',
      path: ['/generations/', { value: generationId }],
      object: 'generation',
      options,
    });
  }

  /**
   * Fail a generation and refund it. Possible only until the generation ends. To refund it afterwards, adjust the
   * credits. Scope: `generations:write`.
   */
  failGeneration(
    generationId: string,
    body: RequiredReason,
    options: WriteOptions = {},
  ): Promise<AccountGeneration> {
    return this.sender.send<AccountGeneration>({
      method: 'POST',
      path: ['/generations/', { value: generationId }, '/fail'],
      object: 'generation',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * Take down the files of a generation. Their URLs return 410 from now on, permanently. The record and the charge
   * are kept. Repeat the call to delete files left behind by a crash. Scope: `generations:write`.
   */
  takeDownGeneration(
    generationId: string,
    body: RequiredReason,
    options: WriteOptions = {},
  ): Promise<AccountGeneration> {
    return this.sender.send<AccountGeneration>({
      method: 'POST',
      path: ['/generations/', { value: generationId }, '/take-down'],
      object: 'generation',
      body,
      isWrite: true,
      options,
    });
  }

  /**
   * List the versions of models and prices. Newest first, including a version that is not in effect yet. Scope:
   * `generations:read`.
   */
  listCatalogueVersions(
    query: ListCatalogueVersionsQuery = {},
    options: ReadOptions = {},
  ): Promise<CatalogueVersionList> {
    return this.sender.send<CatalogueVersionList>({
      method: 'GET',
      path: ['/catalogue/versions'],
      object: 'list',
      query,
      options,
    });
  }

  /** List the versions of models and prices: one after the other, however many pages there are. */
  iterateCatalogueVersions(
    query: ListCatalogueVersionsQuery = {},
    options: ReadOptions = {},
  ): AsyncGenerator<CatalogueVersion, void, undefined> {
    const { after: begin, ...filters } = query;
    return iterate((after) => this.listCatalogueVersions({ ...filters, after }, options), begin);
  }

  /**
   * Follow events. Events of all accounts: credits that were granted, charged, refunded or adjusted, that expired,
   * will expire within a week or are running low; generations that ended; results that differ from the order; API
   * keys; and providers whose circuit is open. Their order never changes, and each account's events appear in the
   * order in which they happened. Follow next from page to page to receive every event. After a database restore,
   * feed_restored names the cursor to resume from. With wait_seconds (at most 30), the request waits for the next
   * event. Scope: `events:read`.
   */
  listEvents(query: ListEventsQuery = {}, options: ReadOptions = {}): Promise<EventPage> {
    return this.sender.send<EventPage>({
      method: 'GET',
      path: ['/events'],
      object: 'list',
      query,
      options,
    });
  }

  /**
   * Follow events: the pages that have something, from a cursor on, and those to come, until the signal is aborted. Store
   * `next` once you have acted on a page.
   */
  followEvents(
    query: ListEventsQuery = {},
    options: FollowOptions = {},
  ): AsyncGenerator<EventPage & { next: string }, void, undefined> {
    const { after: begin, ...given } = query;
    const filters = { wait_seconds: options.stopAtEnd === true ? 0 : 30, ...given };
    return follow(this.sender, (after) => this.listEvents({ ...filters, after }, options), {
      ...options,
      after: begin,
      restMs: 1000,
    });
  }

  /**
   * Report usage and margin. Usage, revenue, costs and margin of the generations that ended on these days, by day,
   * account and model. A report can have at most 10,000 rows; for more, request fewer days or a coarser split.
   * Scope: `reports:read`.
   */
  getUsage(query: GetUsageQuery, options: ReadOptions = {}): Promise<UsageReport> {
    return this.sender.send<UsageReport>({
      method: 'GET',
      path: ['/reports/usage'],
      object: 'usage_report',
      query,
      options,
    });
  }

  /**
   * Report usage and margin as CSV. Usage, revenue, costs and margin of the generations that ended on these days,
   * by day, account and model. A report can have at most 10,000 rows; for more, request fewer days or a coarser
   * split. Returned as CSV (RFC 4180) with a header row; later versions may append columns. Scope: `reports:read`.
   */
  getUsageCsv(query: GetUsageCsvQuery, options: ReadOptions = {}): Promise<string> {
    return this.sender.send<string>({
      method: 'GET',
      path: ['/reports/usage.csv'],
      object: null,
      query,
      options,
    });
  }
}
