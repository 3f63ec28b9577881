import pLimit from 'p-limit';
import { giveUpAfter } from '@framegate/limits';
import { expiringMs } from '../../domain/accountEvent.ts';
import { availableCredits, nextExpiryOf } from '../../domain/credits.ts';
import type { NewEnd, NoticeStore } from '../ports/notices.ts';
import type { Database } from '../ports/database.ts';
import type { Clock, Log } from '../ports/system.ts';
import type { MailPart, SendMail } from './ports.ts';

const minuteMs = 60_000;

/** After a mail about ends the next one waits so long, in ms: a burst is one mail. */
export const digestMs = 15 * minuteMs;
/** Balances and expiries are looked at this often, in ms. */
const creditsEveryMs = 10 * minuteMs;

/** Ends that one mail counts, and those that it names. */
const mostEnds = 1_000;
const mostNamed = 10;

/** Accounts at once, and the time limit for one, in ms. */
const atOnce = 5;
const accountMs = 15_000;

/** Dependencies of mails that no request asks for. */
export interface NewsDeps {
  notices: NoticeStore;
  database: Pick<Database, 'accounts'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
  sendMail: SendMail;
  /** ACCOUNT_URL, without a slash at the end. */
  accountUrl: string;
}

/**
 * Creates a round that mails owners about ends, low balances and credits that expire. Each mail is queued before it is
 * noted, so that a killed process tells something twice at worst. An account that fails delays no other.
 */
export function createTellNews(deps: NewsDeps): (signal: AbortSignal) => Promise<void> {
  let creditsAt = -Infinity;
  return async (signal) => {
    const { notices, clock } = deps;
    await each(deps, notices.wantEnds(), signal, (id) => tellEnds(deps, id));
    const now = clock.now();
    if (now - creditsAt < creditsEveryMs) return;
    await each(deps, notices.wantLow(), signal, (id) => tellLow(deps, id));
    await each(deps, notices.expiring(now, now + expiringMs), signal, (id) => tellExpiry(deps, id));
    if (!signal.aborted) creditsAt = now;
  };
}

async function each(
  { log }: NewsDeps,
  pages: AsyncIterable<readonly string[]>,
  signal: AbortSignal,
  tell: (accountId: string) => Promise<void>,
): Promise<void> {
  const limit = pLimit(atOnce);
  const attempt = async (accountId: string) => {
    if (signal.aborted) return;
    try {
      await giveUpAfter(accountMs, tell(accountId));
    } catch (error) {
      log.warn({ error, accountId }, 'an owner could not be told and will be in the next round');
    }
  };
  for await (const page of pages) {
    await Promise.all(page.map((id) => limit(attempt, id)));
    if (signal.aborted) return;
  }
}

async function tellEnds(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, clock } = deps;
  const now = clock.now();
  const { endsAt } = await notices.find(accountId);
  if (now - endsAt < digestMs) return;
  const ends = await notices.newEnds(accountId, mostEnds, now);
  if (ends.length === 0) return;
  await mail(deps, accountId, { ...endsMail(deps, ends), path: '/history' });
  await notices.note(accountId, { endsAt: now });
  await notices.noteEnds(ends.map(({ id }) => id));
}

function endsMail({ accountUrl }: NewsDeps, ends: readonly NewEnd[]) {
  const [first] = ends;
  const failed = ends.filter(({ status }) => status === 'failed').length;
  const finished = ends.length - failed;
  if (first && ends.length === 1) {
    const isFailed = failed === 1;
    const noun = first.type === 'video' ? 'video' : 'images';
    const button = { button: 'Open it', url: `${accountUrl}/generations/${first.id}` };
    const said = isFailed ? 'It failed, and your credits were refunded.' : 'It is finished.';
    const subject = isFailed
      ? `Your ${noun} failed`
      : `Your ${noun} ${first.type === 'video' ? 'is' : 'are'} finished`;
    return { subject, parts: [titleOf(first), said, button] };
  }
  const counts = [
    finished > 0 ? `${finished} finished` : '',
    failed > 0 ? `${failed} failed and refunded` : '',
  ].filter((part) => part !== '');
  const named = ends
    .slice(0, mostNamed)
    .map((end) => `${end.status === 'failed' ? 'Failed' : 'Finished'}: ${titleOf(end)}`);
  const rest = ends.length - named.length;
  return {
    subject: counts.join(', '),
    parts: [
      `Since the last mail: ${counts.join(', ')}.`,
      ...named,
      ...(rest > 0 ? [`And ${rest} more.`] : []),
      { button: 'Open the history', url: `${accountUrl}/history` },
    ],
  };
}

/** The beginning of a prompt, in one line. */
function titleOf({ prompt, id }: NewEnd): string {
  const letters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (letters.length === 0) return id;
  return letters.length <= 90 ? letters.join('') : `${letters.slice(0, 88).join('')}…`;
}

const inCredits = (count: number) =>
  `${count.toLocaleString('en-US')} credit${count === 1 ? '' : 's'}`;

async function tellLow(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, database, clock } = deps;
  const [account, known] = await Promise.all([
    database.accounts.find(accountId),
    notices.find(accountId),
  ]);
  if (!account || !known.credits) return;
  const available = availableCredits(account.lots, clock.now());
  const isLow = available < known.creditsBelow;
  if (isLow === known.isLow) return;
  if (isLow) {
    await mail(deps, accountId, {
      subject: `${inCredits(available)} left`,
      parts: [
        `You have ${inCredits(available)} left, fewer than the ${known.creditsBelow} that you wanted to be told of.`,
        { button: 'See your credits', url: `${deps.accountUrl}/credits` },
      ],
      path: '/credits',
    });
  }
  await notices.note(accountId, { isLow });
}

async function tellExpiry(deps: NewsDeps, accountId: string): Promise<void> {
  const { notices, database } = deps;
  const known = await notices.find(accountId);
  if (!known.credits) return;
  const account = await database.accounts.find(accountId);
  const expiresAt = account && nextExpiryOf(account.lots);
  if (!account || expiresAt === null || expiresAt <= known.expiryAt) return;
  const credits = account.lots
    .filter((lot) => lot.expiresAt === expiresAt)
    .reduce((sum, { remaining }) => sum + remaining, 0);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  await mail(deps, accountId, {
    subject: `${inCredits(credits)} about to expire`,
    parts: [
      `${inCredits(credits)} can be used until ${day.format(expiresAt)} (UTC), before all others.`,
      { button: 'Open the studio', url: `${deps.accountUrl}/studio` },
    ],
    path: '/credits',
  });
  await notices.note(accountId, { expiryAt: expiresAt });
}

async function mail(
  { database, sendMail, accountUrl }: NewsDeps,
  accountId: string,
  { path, ...words }: { subject: string; parts: readonly MailPart[]; path: string },
): Promise<void> {
  const account = await database.accounts.find(accountId);
  if (account?.status !== 'active' || !account.verified) return;
  await sendMail({ to: account.email, link: `${accountUrl}${path}`, ...words });
}
