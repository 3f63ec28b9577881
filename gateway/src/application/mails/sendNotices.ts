import { hourMs, minuteMs } from '@framegate/contract';
import { giveUpAfter } from '@framegate/limits';
import { expiryNoticeMs } from '../../domain/accounts/accountEvent.ts';
import { availableCredits, balanceOf, nextExpiryOf } from '../../domain/credits/credits.ts';
import { announcedDay } from '../../domain/generations/retention.ts';
import type { Language } from '../../domain/text/language.ts';
import { endOfDayMs } from '../../domain/time/utcDay.ts';
import type { AppCore } from '../app.ts';
import type { MailContent } from '../ports/mails.ts';
import type { NewEnd } from '../ports/notices.ts';
import { remindOfErasure } from '../upkeep/dueErasures.ts';
import { visitPages } from '../visitPages.ts';
import { wantsNotice } from './notices.ts';

/** Pause after an email about ends, in ms, so that a burst becomes one email. */
export const digestMs = 15 * minuteMs;
/** Interval for checking balances and expiries, in ms. */
const creditsEveryMs = 10 * minuteMs;

/** Ends counted in one email, and ends named in it. */
const maxEnds = 1_000;
const maxNamed = 10;

/** Time until the files of a day are tried again, in ms, after a failure. */
const filesAgainMs = hourMs;

/** Accounts processed in parallel, and the time limit per account, in ms. */
const maxAtOnce = 5;
const accountMs = 15_000;

type NewsDeps = Pick<
  AppCore,
  'notices' | 'database' | 'clock' | 'log' | 'sendMail' | 'outputsKeptMs'
>;

/**
 * Creates a round that emails owners about ends, low balances, expiring credits and files that will be deleted. Each
 * email is queued before it is recorded, so a killed process at worst repeats one. An account that fails delays
 * no other.
 */
export function createSendNotices(deps: NewsDeps): (signal: AbortSignal) => Promise<void> {
  let creditsAt = -Infinity;
  let filesAt = -Infinity;
  return async (signal) => {
    const { notices, clock } = deps;
    await notifyEach(deps, notices.listToRemind(clock.now()), signal, (id) =>
      remindOfErasure(deps, id),
    );
    await notifyEach(deps, notices.listWantingEnds(), signal, (id) => notifyOfEnds(deps, id));
    const nowMs = clock.now();
    if (nowMs >= filesAt) {
      const isDone = await notifyOfFiles(deps, signal);
      filesAt = isDone ? endOfDayMs(nowMs) : nowMs + filesAgainMs;
    }
    if (nowMs - creditsAt < creditsEveryMs) return;
    await notifyEach(deps, notices.listWantingLow(), signal, (id) => notifyOfLowBalance(deps, id));
    await notifyEach(deps, notices.listExpiring(nowMs, nowMs + expiryNoticeMs), signal, (id) =>
      notifyOfExpiry(deps, id),
    );
    if (!signal.aborted) creditsAt = nowMs;
  };
}

/** @returns Whether all were notified. */
async function notifyEach<T extends string | { accountId: string }>(
  { log }: NewsDeps,
  pages: AsyncIterable<readonly T[]>,
  signal: AbortSignal,
  notify: (item: T) => Promise<void>,
): Promise<boolean> {
  let hasFailed = false;
  const isWhole = await visitPages(pages, { atOnce: maxAtOnce, signal }, async (item) => {
    try {
      await giveUpAfter(accountMs, notify(item));
    } catch (error) {
      hasFailed = true;
      const accountId = typeof item === 'string' ? item : item.accountId;
      log.warn({ error, accountId }, 'failed to notify an owner; retrying in the next round');
    }
  });
  return isWhole && !hasFailed;
}

async function notifyOfEnds(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, clock } = deps;
  const nowMs = clock.now();
  const settings = await notices.find(accountId);
  if (nowMs - settings.endsAt < digestMs) return;
  const ends = await notices.findNewEnds(accountId, maxEnds, nowMs);
  if (ends.length === 0) return;
  await sendNotice(deps, accountId, settings, endsMail(ends));
  await notices.record(accountId, { endsAt: nowMs });
  await notices.recordEnds(ends.map(({ id }) => id));
}

function endsMail(ends: readonly NewEnd[]): MailContent {
  const [first] = ends;
  const failed = ends.filter(({ status }) => status === 'failed').length;
  const finished = ends.length - failed;
  if (first && ends.length === 1) {
    const values = { title: titleOf(first), id: first.id };
    return { kind: `${first.type}${failed === 1 ? 'Failed' : 'Finished'}`, values };
  }
  const named = ends.slice(0, maxNamed).map((end) => ({ title: titleOf(end), status: end.status }));
  const rest = ends.length - named.length;
  return { kind: 'ends', values: { finished, failed, named, rest } };
}

/** The start of a prompt, on one line. */
function titleOf({ prompt, id }: NewEnd): string {
  const characters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (characters.length === 0) return id;
  return characters.length <= 90 ? characters.join('') : `${characters.slice(0, 88).join('')}…`;
}

/**
 * Emails owners about the files that will be deleted in two days: each account once a day, whoever made the results.
 * @returns Whether all were notified.
 */
async function notifyOfFiles(deps: NewsDeps, signal: AbortSignal): Promise<boolean> {
  const { notices, clock, outputsKeptMs: keptMs } = deps;
  const day = announcedDay(keptMs, clock.now());
  if (day === null) return true;
  const pages = notices.listFilesToDelete({ ...day, keptMs });
  return notifyEach(deps, pages, signal, async ({ accountId, count }) => {
    const settings = await notices.find(accountId);
    if (settings.filesUntil >= day.until || !wantsNotice(settings, 'files')) return;
    await sendNotice(deps, accountId, settings, {
      kind: 'files',
      values: { count, day: day.from },
    });
    await notices.record(accountId, { filesUntil: day.until });
  });
}

async function notifyOfLowBalance(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, database, clock } = deps;
  const [account, settings] = await Promise.all([
    database.accounts.find(accountId),
    notices.find(accountId),
  ]);
  if (!account || !wantsNotice(settings, 'credits')) return;
  const available = availableCredits(account.lots, clock.now());
  const isLow = available < settings.creditsBelow;
  if (isLow === settings.isLow) return;
  if (isLow) {
    const values = { credits: available, limit: settings.creditsBelow };
    await sendNotice(deps, accountId, settings, { kind: 'low', values });
  }
  await notices.record(accountId, { isLow });
}

async function notifyOfExpiry(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, database } = deps;
  const settings = await notices.find(accountId);
  if (!wantsNotice(settings, 'credits')) return;
  const account = await database.accounts.find(accountId);
  const expiresAt = account && nextExpiryOf(account.lots);
  if (!account || expiresAt === null || expiresAt <= settings.expiryAt) return;
  const credits = balanceOf(account.lots.filter((lot) => lot.expiresAt === expiresAt));
  await sendNotice(deps, accountId, settings, {
    kind: 'expiry',
    values: { credits, day: expiresAt },
  });
  await notices.record(accountId, { expiryAt: expiresAt });
}

/** Emails an owner in the language of the account. */
async function sendNotice(
  { database, sendMail }: NewsDeps,
  accountId: string,
  { language = 'en' }: { language?: Language },
  content: MailContent,
): Promise<void> {
  const account = await database.accounts.find(accountId);
  if (account?.status !== 'active' || !account.isVerified) return;
  await sendMail({ ...content, to: account.email, language });
}
