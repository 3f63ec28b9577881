import { type OperatorLedgerEntry, pageLimits } from '@framegate/contract/operator';
import { operatorReference } from '../../domain/credits/credits.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import { formatCursor, parseCursor } from '../../domain/feed/cursor.ts';
import { feedStart } from '../../domain/feed/feedEpochs.ts';
import { invalidFieldRefusal, Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { type BookedEntry, grantCredits } from '../credits/grantCredits.ts';
import { DuplicateValueError } from '../ports/database.ts';
import type { PositionedLedgerEntry } from '../ports/operator.ts';
import { adjustCredits } from '../staff/adjustCredits.ts';
import { requireCustomer } from './accounts.ts';
import { reserveDailyCredits } from './dailyCredits.ts';
import type { OperatorInput, OperatorUseCases } from './operatorCall.ts';
import { parseTime } from './parseTime.ts';
import { presentCredits, presentEntry, presentPage } from './present.ts';
import { readFeed, restoredFeedRefusal } from './readFeed.ts';
import { writeOnce } from './writeOnce.ts';

export const creditUseCases = {
  /** Reads balance and lots. @throws Refusal `account_not_found`. */
  async getCredits(deps, { params: { account_id: accountId } }) {
    return presentCredits(await requireCustomer(deps, accountId), deps.clock.now());
  },

  /** Grants credits, once per reference if one is given. */
  async grantCredits(
    deps,
    {
      call,
      params: { account_id: accountId },
      body: { amount, kind, expires_at: expiresAt, reason, reference },
    },
  ) {
    await requireCustomer(deps, accountId);
    return writeOnce(deps, call, {
      status: 201,
      reason,
      present: presentWritten,
      runIfNeeded: (database) => {
        const grant = {
          accountId,
          amountCredits: amount,
          kind,
          expiresAt: expiresAt ? parseTime('expires_at', expiresAt) : null,
          reason: reason ?? null,
          reference: referenceOf(reference),
          requestId: call.requestId,
        };
        return reserveDailyCredits(deps, call, { credits: amount, ...grant }, async () =>
          presentBookedBefore(await grantCredits({ ...deps, database }, grant)),
        );
      },
    });
  },

  /** Adds or deducts credits, once per reference if one is given, and once per generation. */
  async adjustCredits(
    deps,
    {
      call,
      params: { account_id: accountId },
      body: { amount, reason, reference, generation_id: generationId },
    },
  ) {
    await requireCustomer(deps, accountId);
    if (generationId !== undefined) await requireGeneration(deps, accountId, generationId);
    return writeOnce(deps, call, {
      status: 201,
      reason,
      present: presentWritten,
      async runIfNeeded(database) {
        const adjustment = {
          accountId,
          amount,
          reason,
          generationId: generationId ?? null,
          requestId: call.requestId,
          reference: referenceOf(reference),
        };
        try {
          return await reserveDailyCredits(
            deps,
            call,
            { credits: amount, ...adjustment },
            async () => presentBookedBefore(await adjustCredits({ ...deps, database }, adjustment)),
          );
        } catch (error) {
          if (!(error instanceof DuplicateValueError && error.index === 'accountGenerationKind')) {
            throw error;
          }
          throw new Refusal('reference_reused', {
            message: 'This generation already has an adjustment. Nothing was booked.',
            param: 'generation_id',
          });
        }
      },
    });
  },

  /**
   * The ledger of one account, by number. A cursor also has the entry's hash, because numbers are reused after a
   * restore.
   * @throws Refusal `account_not_found`, `cursor_invalid`, `feed_restored`.
   */
  async listAccountLedger(
    deps,
    { params: { account_id: accountId }, query: { after, limit = pageLimits.usual } },
  ) {
    const list = `ledger/${accountId}`;
    const begin = after === undefined ? '0' : parseCursor(list, after);
    const number = Number(/^(?:0|([1-9]\d{0,11}) [0-9a-f]{64})$/.exec(begin)?.[1] ?? 0);
    if (number === 0 && begin !== '0') throw new Refusal('cursor_invalid', { param: 'after' });
    await requireCustomer(deps, accountId);
    const cursorValueOf = (entry: LedgerEntry) => `${entry.number} ${entry.hash}`;
    const entries = await deps.database.ledger.listOldest(
      accountId,
      Math.max(0, number - 1),
      limit + 2,
    );
    const before = number === 0 ? null : entries.shift();
    if (before !== null && (!before || cursorValueOf(before) !== begin)) {
      throw restoredFeedRefusal(list, feedStart);
    }
    return presentPage(entries.slice(0, limit + 1), {
      list,
      limit,
      begin: formatCursor(list, begin),
      cursorValueOf,
      present: (entry) => presentEntry(entry),
    });
  },

  /**
   * The ledger of all accounts as a feed (docs/adr/0022-feed-positions.md).
   * @throws Refusal `cursor_invalid`, `feed_restored`.
   */
  listLedger(
    { feed }: Pick<App, 'feed'>,
    { query: { after, limit = pageLimits.usual } }: Pick<OperatorInput<'listLedger'>, 'query'>,
  ) {
    return readFeed(feed, {
      list: 'ledger',
      after,
      limit,
      read: (...args) => feed.findEntries(...args),
      present: ({ entry, position }: PositionedLedgerEntry) => presentEntry(entry, position),
    });
  },
} satisfies Partial<OperatorUseCases>;

const referenceOf = (reference: string | undefined) =>
  reference === undefined ? undefined : operatorReference(reference);

function presentWritten({ entry }: { entry?: LedgerEntry | undefined }): OperatorLedgerEntry {
  if (!entry) throw new Error('credits were booked without a ledger entry');
  return presentEntry(entry);
}

const presentBookedBefore = ({ entry, wasReplayed }: BookedEntry) =>
  wasReplayed ? presentEntry(entry) : undefined;

async function requireGeneration(
  { database }: App,
  accountId: string,
  generationId: string,
): Promise<void> {
  const generation = await database.generations.findView(generationId, accountId);
  if (generation?.accountId === accountId) return;
  const message = 'The account has no generation with this ID.';
  throw invalidFieldRefusal('generation_id', 'invalid_value', message);
}
