import pLimit from 'p-limit';
import { dayMs, type Log, minuteMs } from '@framegate/contract';
import type { VersionedSecret } from '../../domain/accounts/apiKey.ts';
import { backoffMs, jitter } from '../../domain/time/backoff.ts';
import type { AppCore } from '../app.ts';
import type {
  DeliverMail,
  MailOutcome,
  MailStore,
  QueuedMail,
  SendWritten,
  WrittenMail,
} from '../ports/mails.ts';
import type { Clock, Random } from '../ports/system.ts';
import { seal, unseal } from '../secretBox.ts';

/** How long an email without a code is retried, in ms: a day. */
const usualValidMs = dayMs;
/** How long staff can see an undelivered email, in ms: a week. */
const keptMs = 7 * dayMs;
/** How long an email is reserved for the process that sends it, in ms. */
const leaseMs = 2 * minuteMs;
const pageSize = 20;
const maxAtOnce = 5;
const purpose = 'mail';

type QueueDeps = Pick<AppCore, 'clock' | 'random' | 'sessionKeys'>;

/**
 * Makes queued emails. Text and HTML are sealed under SESSION_KEYS, which the database does not have, and removed when
 * the email is sent or expires, so codes cannot be read from the database.
 */
export function createMailSealer(deps: QueueDeps): (mail: WrittenMail) => QueuedMail {
  return ({ to, subject, text, html, validMs = usualValidMs, isDecoy = false }) => {
    const id = deps.random.newId('mail');
    const nowMs = deps.clock.now();
    const validUntil = nowMs + validMs;
    const sealed = seal(text, id, deps.sessionKeys, purpose);
    const lateAt = validUntil + keptMs;
    const sealedHtml = seal(html, id, deps.sessionKeys, purpose);
    const mail = { id, to, subject, sealed, sealedHtml, attempts: 0, createdAt: nowMs, validUntil };
    return isDecoy
      ? // Expires long before it is due.
        { ...mail, to: '', goneAt: validUntil, nextAttemptAt: lateAt, isDecoy }
      : { ...mail, goneAt: lateAt, nextAttemptAt: nowMs };
  };
}

/** Queues emails in the database for a worker. */
export function createMailQueue(
  deps: QueueDeps & { mails: Pick<MailStore, 'insert'> },
): SendWritten {
  const prepare = createMailSealer(deps);
  return (mail) => deps.mails.insert(prepare(mail));
}

/** Dependencies of sending. */
export interface MailSender {
  mails: Pick<MailStore, 'findDue' | 'acquireLease' | 'remove' | 'putOff' | 'giveUp'>;
  deliver: DeliverMail;
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'fraction'>;
  log: Log;
  sessionKeys: readonly VersionedSecret[];
  recordMail: (outcome: MailOutcome) => void;
}

/** Sends due emails; a failing one delays no other. Starts none after the signal. */
export async function sendDueMails(deps: MailSender, signal: AbortSignal): Promise<void> {
  const room = pLimit(maxAtOnce);
  const dueMails = await deps.mails.findDue(deps.clock.now(), pageSize);
  const sendings = dueMails.map((mail) =>
    room(async () => {
      if (signal.aborted) return;
      const leased = await deps.mails.acquireLease(mail, deps.clock.now() + leaseMs);
      if (leased) await send(deps, leased);
    }),
  );
  const failed = (await Promise.allSettled(sendings)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function send(deps: MailSender, mail: QueuedMail): Promise<void> {
  const { mails, clock, log, recordMail } = deps;
  const { id, to, subject, attempts } = mail;
  const text = unseal(mail.sealed, id, deps.sessionKeys, purpose);
  const html = unseal(mail.sealedHtml, id, deps.sessionKeys, purpose);
  if (text === null || html === null || clock.now() >= mail.validUntil) {
    const isSealed = text === null || html === null;
    const problem = isSealed ? 'encrypted with a former secret' : 'too late to be useful';
    await mails.giveUp(id, mail.problem ?? problem);
    recordMail('given_up');
    return;
  }
  const delivery = await deps.deliver({ id, to, subject, text, html });
  if (delivery.ok) {
    await mails.remove(id);
    recordMail('sent');
    return;
  }
  const { problem } = delivery;
  const again = delivery.isFinal
    ? null
    : nextMailAttempt(mail, clock.now(), deps.random.fraction());
  log.warn(
    { mail: id, problem, attempts },
    again ? 'mail server did not accept an email; retrying later' : 'gave up on an email',
  );
  if (again === null) await mails.giveUp(id, problem);
  else await mails.putOff(id, again, problem);
  recordMail(again === null ? 'given_up' : 'failed');
}

const pace = { firstMs: 10_000, maxMs: 10 * minuteMs };

/**
 * The next attempt of a failed email.
 * @param attempts Failed attempts, at least 1.
 * @param fraction Random, from 0 to below 1.
 * @returns Ms since the epoch; null if the email expires first.
 */
export function nextMailAttempt(
  { attempts, validUntil }: { attempts: number; validUntil: number },
  nowMs: number,
  fraction: number,
): number | null {
  const at = nowMs + Math.round(jitter(backoffMs(pace, attempts), fraction));
  return at < validUntil ? at : null;
}
