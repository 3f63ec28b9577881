import pLimit from 'p-limit';
import type { VersionedSecret } from '../../domain/apiKey.ts';
import type { Clock, Log, Random } from '../ports/system.ts';
import { seal, unseal } from '../secretBox.ts';
import type { DeliverMail, MailOutcome, MailStore, QueuedMail, SendMail } from './ports.ts';

/** How long a mail is tried that has no code in it, in ms: a day. */
const usualValidMs = 24 * 3600 * 1000;
/** How long what could not be delivered is shown to staff, in ms: a week. */
const keptMs = 7 * 24 * 3600 * 1000;
/** For this long a mail is left to the process that sends it, in ms. */
const claimMs = 120_000;
const pageSize = 20;
const atOnce = 5;
const purpose = 'mail';

/**
 * Puts mails into the database for a worker to send. Text and link are sealed under SESSION_KEYS, which the
 * database does not have, and go when the mail is sent or has come to its end: a code cannot be read there.
 */
export function createMailQueue(deps: {
  mails: Pick<MailStore, 'insert'>;
  clock: Pick<Clock, 'now'>;
  random: Random;
  secrets: readonly VersionedSecret[];
}): SendMail {
  return async ({ to, subject, text, validMs = usualValidMs, isDecoy = false }) => {
    const id = deps.random.newId('mail');
    const now = deps.clock.now();
    const validUntil = now + validMs;
    const sealed = seal(text, id, deps.secrets, purpose);
    const late = validUntil + keptMs;
    const mail = { id, to, subject, sealed, tries: 0, createdAt: now, validUntil };
    await deps.mails.insert(
      isDecoy
        ? // It is gone long before it would be due, for processes of an earlier release as well.
          { ...mail, to: '', goneAt: validUntil, nextTryAt: late, isDecoy }
        : { ...mail, goneAt: late, nextTryAt: now },
    );
  };
}

/** What sending needs. */
export interface MailSender {
  mails: Pick<MailStore, 'findDue' | 'claim' | 'remove' | 'postpone' | 'giveUp'>;
  deliver: DeliverMail;
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'fraction'>;
  log: Log;
  secrets: readonly VersionedSecret[];
  record: (outcome: MailOutcome) => void;
}

/** Sends the mails that are due; one that fails keeps no other. It begins no more after the signal. */
export async function sendDueMails(deps: MailSender, signal: AbortSignal): Promise<void> {
  const room = pLimit(atOnce);
  const due = await deps.mails.findDue(deps.clock.now(), pageSize);
  const sent = due.map((mail) =>
    room(async () => {
      if (signal.aborted) return;
      const claimed = await deps.mails.claim(mail, deps.clock.now() + claimMs);
      if (claimed) await send(deps, claimed);
    }),
  );
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function send(deps: MailSender, mail: QueuedMail): Promise<void> {
  const { mails, clock, log, record } = deps;
  const { id, to, subject, tries } = mail;
  const text = unseal(mail.sealed, id, deps.secrets, purpose);
  if (text === null || clock.now() >= mail.validUntil) {
    const problem = text === null ? 'sealed under a former secret' : 'too late to be of use';
    await mails.giveUp(id, mail.problem ?? problem);
    record('given_up');
    return;
  }
  const delivery = await deps.deliver({ id, to, subject, text });
  if (delivery.ok) {
    await mails.remove(id);
    record('sent');
    return;
  }
  const { problem } = delivery;
  const again = delivery.isFinal ? null : nextMailTry(mail, clock.now(), deps.random.fraction());
  log.warn({ mail: id, problem, tries }, again ? 'a mail waits: not taken' : 'a mail is given up');
  if (again === null) await mails.giveUp(id, problem);
  else await mails.postpone(id, again, problem);
  record(again === null ? 'given_up' : 'failed');
}

const firstMs = 10_000;
const mostMs = 600_000;

/**
 * When a mail that could not be sent is tried again: after ten seconds, doubled with each try up to ten
 * minutes, give or take a quarter.
 * @param tries That have failed, at least 1.
 * @param fraction 0 to below 1, by chance.
 * @returns ms since the epoch; null when the mail would come too late to be of use.
 */
export function nextMailTry(
  { tries, validUntil }: { tries: number; validUntil: number },
  nowMs: number,
  fraction: number,
): number | null {
  const delay = Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 10));
  const at = nowMs + Math.round(delay * (0.75 + fraction / 2));
  return at < validUntil ? at : null;
}
