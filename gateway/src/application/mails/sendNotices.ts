import { giveUpAfter } from '@framegate/limits';
import { expiryNoticeMs } from '../../domain/accounts/accountEvent.ts';
import { availableCredits, nextExpiryOf } from '../../domain/credits/credits.ts';
import { announcedDay } from '../../domain/generations/retention.ts';
import type { Language } from '../../domain/text/language.ts';
import { endOfDayMs, minuteMs } from '../../domain/time/utcDay.ts';
import type { AppCore } from '../app.ts';
import { eachOfPages } from '../eachOfPages.ts';
import type { MailContent } from '../ports/mails.ts';
import type { NewEnd } from '../ports/notices.ts';
import { remindOfErasure } from '../upkeep/dueErasures.ts';
import { wants } from './notices.ts';

/** Pause after a mail about ends, in ms, so that a burst becomes one mail. */
export const digestMs = 15 * minuteMs;
/** Interval for checking balances and expiries, in ms. */
const creditsEveryMs = 10 * minuteMs;

/** Ends counted in one mail, and ends named in it. */
const maxEnds = 1_000;
const maxNamed = 10;

/** Time until the files of a day are tried again, in ms, after a failure. */
const filesAgainMs = 60 * minuteMs;

/** Accounts processed in parallel, and the time limit per account, in ms. */
const atOnce = 5;
const accountMs = 15_000;

type NewsDeps = Pick<
  AppCore,
  'notices' | 'database' | 'clock' | 'log' | 'sendMail' | 'outputsKeptMs'
>;

/**
 * Creates a round that mails owners about ends, low balances, expiring credits and files that will be deleted. Each
 * mail is queued before it is recorded, so a killed process at worst repeats one. An account that fails delays
 * no other.
 */
export function createSendNotices(deps: NewsDeps): (signal: AbortSignal) => Promise<void> {
  let creditsAt = -Infinity;
  let filesAt = -Infinity;
  return async (signal) => {
    const { notices, clock } = deps;
    await each(deps, notices.toRemind(clock.now()), signal, (id) => remindOfErasure(deps, id));
    await each(deps, notices.wantEnds(), signal, (id) => notifyOfEnds(deps, id));
    const nowMs = clock.now();
    if (nowMs >= filesAt) {
      const isDone = await notifyOfFiles(deps, signal);
      filesAt = isDone ? endOfDayMs(nowMs) : nowMs + filesAgainMs;
    }
    if (nowMs - creditsAt < creditsEveryMs) return;
    await each(deps, notices.wantLow(), signal, (id) => notifyOfLowBalance(deps, id));
    await each(deps, notices.expiring(nowMs, nowMs + expiryNoticeMs), signal, (id) =>
      notifyOfExpiry(deps, id),
    );
    if (!signal.aborted) creditsAt = nowMs;
  };
}

/** @returns Whether all were notified. */
async function each<T extends string | { accountId: string }>(
  { log }: NewsDeps,
  pages: AsyncIterable<readonly T[]>,
  signal: AbortSignal,
  tell: (item: T) => Promise<void>,
): Promise<boolean> {
  let hasFailed = false;
  const isWhole = await eachOfPages(pages, { atOnce, signal }, async (item) => {
    try {
      await giveUpAfter(accountMs, tell(item));
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
  const known = await notices.find(accountId);
  if (nowMs - known.endsAt < digestMs) return;
  const ends = await notices.newEnds(accountId, maxEnds, nowMs);
  if (ends.length === 0) return;
  await mail(deps, accountId, known, endsMail(ends));
  await notices.note(accountId, { endsAt: nowMs });
  await notices.noteEnds(ends.map(({ id }) => id));
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
  const letters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (letters.length === 0) return id;
  return letters.length <= 90 ? letters.join('') : `${letters.slice(0, 88).join('')}…`;
}

/**
 * Mails owners about the files that will be deleted in two days: each account once for a day, whoever made the results.
 * @returns Whether all were notified.
 */
async function notifyOfFiles(deps: NewsDeps, signal: AbortSignal): Promise<boolean> {
  const { notices, clock, outputsKeptMs: keptMs } = deps;
  const day = announcedDay(keptMs, clock.now());
  if (day === null) return true;
  const pages = notices.filesToDelete({ ...day, keptMs });
  return each(deps, pages, signal, async ({ accountId, count }) => {
    const known = await notices.find(accountId);
    if (known.filesUntil >= day.until || !wants(known, 'files')) return;
    await mail(deps, accountId, known, { kind: 'files', values: { count, day: day.from } });
    await notices.note(accountId, { filesUntil: day.until });
  });
}

async function notifyOfLowBalance(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, database, clock } = deps;
  const [account, known] = await Promise.all([
    database.accounts.find(accountId),
    notices.find(accountId),
  ]);
  if (!account || !wants(known, 'credits')) return;
  const available = availableCredits(account.lots, clock.now());
  const isLow = available < known.creditsBelow;
  if (isLow === known.isLow) return;
  if (isLow) {
    const values = { credits: available, limit: known.creditsBelow };
    await mail(deps, accountId, known, { kind: 'low', values });
  }
  await notices.note(accountId, { isLow });
}

async function notifyOfExpiry(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, database } = deps;
  const known = await notices.find(accountId);
  if (!wants(known, 'credits')) return;
  const account = await database.accounts.find(accountId);
  const expiresAt = account && nextExpiryOf(account.lots);
  if (!account || expiresAt === null || expiresAt <= known.expiryAt) return;
  const credits = account.lots
    .filter((lot) => lot.expiresAt === expiresAt)
    .reduce((sum, { remaining }) => sum + remaining, 0);
  await mail(deps, accountId, known, { kind: 'expiry', values: { credits, day: expiresAt } });
  await notices.note(accountId, { expiryAt: expiresAt });
}

/** Mails an owner in the language of the account. */
async function mail(
  { database, sendMail }: NewsDeps,
  accountId: string,
  { language = 'en' }: { language?: Language },
  content: MailContent,
): Promise<void> {
  const account = await database.accounts.find(accountId);
  if (account?.status !== 'active' || !account.verified) return;
  await sendMail({ ...content, to: account.email, language });
}
