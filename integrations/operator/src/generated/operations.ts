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
  QuoteAnswer,
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
   * Create an account. The account has no credits and no password: its owner may choose one at the site, by a
   * mailed code. Scope: `accounts:write`.
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
   * List accounts, or find one. In the order of their making. With external_id or email at most one account;
   * accounts of staff are not listed. Scope: `accounts:read`.
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
    const { after: begin, ...wanted } = query;
    return iterate((after) => this.listAccounts({ ...wanted, after }, options), begin);
  }

  /**
   * Create or change the account of a customer of yours. Creates the account if none has this external id;
   * otherwise gives it this e-mail address, for which the key also needs `emails:write`. With another address,
   * which may be another person’s, password, linked sign-ins, second factor, sessions and places in teams end; API
   * keys stay, and the former address gets a mail. Either way the answer is the account. Scope: `accounts:write`.
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
   * Read an account. The limits are those in force: its own, or the defaults of the gateway. Scope:
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
   * Suspend an account. It creates no more generations; those under way continue to their end. Scope:
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
   * Resume an account. A suspended account may create generations again. Scope: `accounts:write`.
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
   * Set limits of an account. Limits that are not named stay as they are. Scope: `accounts:write`.
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
   * Erase an account. It is scheduled, and begins after a day, unless it is withdrawn, or kept by the customer,
   * who gets a mail about it; a call with a second operator key begins it at once, so that no single key erases
   * anybody unnoticed. Then it is for good: address, external id, password, keys and sessions go at once; prompts,
   * files, mails, places in teams and all else of the person in the background, of which `GET
   * /accounts/{account_id}/erasure` tells. The ledger stays under the id, and so does the suspended account.
   * Unfinished generations are waited for, or refused if it would begin at once; repeat it to have the rest tried
   * again. Scope: `accounts:erase`.
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
   * Withdraw a scheduled erasure. Nothing is erased. Refused once it has begun. Scope: `accounts:write`.
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
   * Read the receipt of an erasure. How far it is, and what was removed, counted by kind. Scope: `accounts:read`.
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
   * Put an account into a group. From then on it sees and pays the prices of the group. Generations keep the price
   * at which they were accepted. With an API key the former prices may be shown for five more seconds. Scope:
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
   * Hand a signed-in customer over to the site. Answers a link that works once, within a minute. Its page shows
   * the address of the account and has a button, which starts a session of the site. A second factor that the
   * customer has turned on at the site is asked for all the same. Repeated with its Idempotency-Key, the request
   * answers the same link for as long as that works. Scope: `sign-in-links:write`.
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
   * Read balance and lots. Spent lots are shown as long as the account keeps them. Scope: `credits:read`.
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
   * Grant credits. Adds to the lot of this kind and expiry, or opens one, and answers the ledger entry. The same
   * grant under the same reference answers the first entry and grants nothing. An account holds at most 1,000 lots
   * with credits. Scope: `credits:write`.
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
   * Adjust credits. Gives or takes credits, such as after a dispute, and answers the ledger entry. A generation is
   * adjusted once at most. Scope: `credits:write`.
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
   * Read the ledger of an account. By number, oldest first. Scope: `credits:read`.
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
    const { after: begin, ...wanted } = query;
    return iterate(
      (after) => this.listAccountLedger(accountId, { ...wanted, after }, options),
      begin,
    );
  }

  /**
   * Follow the ledger of all accounts. Every entry once, in an order that never changes; entries of one account in
   * the order of their numbers. Whoever reads from cursor to cursor misses nothing and gets nothing twice, however
   * many processes write. After a restore of the database, feed_restored names the cursor from which to read
   * again. Scope: `credits:read`.
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
   * Follow the ledger of all accounts: the pages that have something, from a cursor on, and those to come, until the signal is aborted. Store
   * `next` once you have acted on a page.
   */
  followLedger(
    query: ListLedgerQuery = {},
    options: FollowOptions = {},
  ): AsyncGenerator<LedgerPage & { next: string }, void, undefined> {
    const { after: begin, ...given } = query;
    const wanted = { ...given };
    return follow(this.sender, (after) => this.listLedger({ ...wanted, after }, options), {
      ...options,
      after: begin,
      restMs: 10000,
    });
  }

  /**
   * Read the plan of an account. Its last one, also if it has ended. Scope: `credits:read`.
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
   * Start a plan. Its credits come each month on the same day and at the same time (UTC), on the last day of a
   * month that has no such day, as a subscription lot that expires when the next ones come. The first ones come
   * with the answer, unless it starts later. An account has one plan at a time. Scope: `credits:write`.
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
   * Change a plan. From the next month on; unnamed fields stay. For more credits at once, grant the difference.
   * Scope: `credits:write`.
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
   * End a plan. No more credits come; those that came stay until they expire. Scope: `credits:write`.
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
   * Create an API key for a customer. The answer has the key itself in api_key, this once. Scope: `keys:write`.
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
   * List the API keys of an account. Those that work and the newest that are revoked, oldest first. Scope:
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
   * Replace an API key. Answers a new key with the same name, models, hosts and limits; the former one works on
   * for the overlap. Scope: `keys:write`.
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
   * Revoke an API key. It ends for good: for creates at once, for reads within five seconds. Scope: `keys:write`.
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
   * Approve an input host for an API key. Whether its owner has asked for it or not. Scope: `keys:write`.
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
   * List the members of a team. The people who act for the account besides its own person, who is always an owner.
   * Members keep accounts of their own for their sign-in. Scope: `accounts:read`.
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
   * Add or change a member of a team. No invitation is sent: the person acts for the account at once. A member who
   * is in the team already gets this role. With a role that makes no keys, keys that they made are refused. Scope:
   * `members:write`.
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
   * Remove a member of a team. Sessions of the person are refused for the account at once; keys that they made
   * keep working within their limit, unless `keys` revokes them. Answers the member as it was. Scope:
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
   * Price a generation. By the rules of a create, without making it. It needs no Idempotency-Key. Scope:
   * `generations:read`.
   */
  quote(accountId: string, body: Quote, options: ReadOptions = {}): Promise<QuoteAnswer> {
    return this.sender.send<QuoteAnswer>({
      method: 'POST',
      path: ['/accounts/', { value: accountId }, '/quotes'],
      object: 'quote',
      body,
      options,
    });
  }

  /**
   * Create a video for a customer. The same use case, price, lots and refund as on the public API, in the channel
   * pc. Input hosts are those of any working key of the account. The body is that of POST /v1/videos. Scope:
   * `generations:write`.
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
   * Create images for a customer. The same use case, price, lots and refund as on the public API, in the channel
   * pc. Input hosts are those of any working key of the account. The body is that of POST /v1/images. Scope:
   * `generations:write`.
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
   * List the generations of an account. Newest first, of the public API and of your product: the task list of a
   * customer. Scope: `generations:read`.
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
    const { after: begin, ...wanted } = query;
    return iterate(
      (after) => this.listGenerations(accountId, { ...wanted, after }, options),
      begin,
    );
  }

  /**
   * Read a generation. Reading never costs credits and calls no provider. Scope: `generations:read`.
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
   * Fail a generation and refund it. Only before its end: an end is final. For a refund after it, adjust the
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
   * Take the files of a generation down. Their addresses answer 410 at once, for good. The record and the charge
   * stay. A repeat deletes files that a crash left behind. Scope: `generations:write`.
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
   * List the versions of models and prices. The newest first; also one that has not begun. Scope:
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
    const { after: begin, ...wanted } = query;
    return iterate((after) => this.listCatalogueVersions({ ...wanted, after }, options), begin);
  }

  /**
   * Follow events. Credits that were granted, charged, refunded or adjusted, that expired, expire within a week or
   * are low; ends of generations, and deliveries that are not as ordered; API keys; providers that are closed off:
   * of all accounts, in an order that never changes, and for one account in the order in which it happened.
   * Whoever reads from cursor to cursor misses nothing; after a restore of the database, feed_restored names the
   * cursor from which to read again. With wait_seconds (30 at most) the request waits for the next event, so that
   * it need not be repeated in between. Scope: `events:read`.
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
    const wanted = { wait_seconds: options.stopAtEnd === true ? 0 : 30, ...given };
    return follow(this.sender, (after) => this.listEvents({ ...wanted, after }, options), {
      ...options,
      after: begin,
      restMs: 1000,
    });
  }

  /**
   * Report usage and margin. Usage, revenue, costs and margin of the generations that ended on these days, by day,
   * account and model. A report has 10,000 rows at most: ask for fewer days or a coarser split beyond that. Scope:
   * `reports:read`.
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
   * by day, account and model. A report has 10,000 rows at most: ask for fewer days or a coarser split beyond
   * that. As CSV (RFC 4180) with a heading; later versions may append columns. Scope: `reports:read`.
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
