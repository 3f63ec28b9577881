import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@framegate/contract';
import { giveUpAfter } from '@framegate/limits';
import type { DeliverMail, SendWritten } from '../../application/ports/mails.ts';
import type { Clock } from '../../application/ports/system.ts';
import { isoTime } from '../../domain/time/isoTime.ts';

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/** Time limits of a server for connecting, greeting and answering, in ms. */
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const mailMs = 45_000;

/** Sends emails through the operator's SMTP server. */
export interface SmtpMailer {
  deliver: DeliverMail;
  /** Checks that the server answers and accepts the login. @returns Null, or the problem's codes. */
  check(): Promise<string | null>;
  close(): void;
}

/** @param options.smtpUrl SMTP_URL, with user and password. */
export async function createSmtpMailer(options: {
  smtpUrl: string;
  from: string;
}): Promise<SmtpMailer> {
  const { createTransport } = await import('nodemailer');
  const url = new URL(options.smtpUrl);
  // A server in between could strip STARTTLS and read the codes, except on the local machine.
  if (!isLoopback(url.hostname)) url.searchParams.set('requireTLS', 'true');
  for (const [name, ms] of Object.entries(limits)) url.searchParams.set(name, String(ms));
  const transport = createTransport(url.href);
  const host = options.from.replace(/^.*@|>$/g, '');
  return {
    async deliver({ id, to, subject, text, html }) {
      // The same for each attempt, so that a server that has already accepted the email can drop the duplicate.
      const messageId = `<${id}@${host}>`;
      try {
        const sending = transport.sendMail({
          from: options.from,
          to,
          subject,
          text,
          html,
          messageId,
        });
        await giveUpAfter(mailMs, sending);
        return { ok: true };
      } catch (error) {
        return { ok: false, ...describe(error) };
      }
    },
    async check() {
      return giveUpAfter(mailMs, transport.verify()).then(
        () => null,
        (error: unknown) => describe(error).problem,
      );
    },
    close: () => transport.close(),
  };
}

/** The codes of a nodemailer error. Its message may contain the address or sent data. */
function describe(error: unknown): { isFinal: boolean; problem: string } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const codes = [code, responseCode].filter(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  // The recipient or the email is rejected permanently (RFC 5321, 4.2.1); a rejected login may be fixed.
  const isFinal =
    (code === 'EENVELOPE' || code === 'EMESSAGE') &&
    typeof responseCode === 'number' &&
    responseCode >= 500;
  return { isFinal, problem: codes.join(' ') || 'no response' };
}

/**
 * For trials without a mail server: writes each email to a file that only the folder's owner can read, and logs the
 * page that it links to. The code stays in the file. Decoys make no file.
 */
export function createFolderMailer(
  options: { folder: string; from: string },
  log: Log,
  clock: Pick<Clock, 'now'>,
): SendWritten {
  let number = 0;
  return async ({ to, subject, text, html, link, isDecoy }) => {
    if (isDecoy === true) return;
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
    const built = await transport.sendMail({ from: options.from, to, subject, text, html });
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const time = isoTime(clock.now()).replace(/[:.]/g, '-');
    const file = join(options.folder, `${time}-${process.pid}-${(number += 1)}.eml`);
    await writeFile(`${file}.new`, built.message, { mode: 0o600 });
    await rename(`${file}.new`, file);
    log.info({ link, file }, 'email written to a file, which contains its code');
  };
}
