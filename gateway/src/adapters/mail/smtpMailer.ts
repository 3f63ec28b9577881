import { createTransport } from 'nodemailer';
import type { Log } from '../../application/ports/system.ts';
import type { SendMail } from '../../application/site/ports.ts';

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/**
 * Sends mails through the operator's server. The page that asked does not wait for it: how long it
 * takes would show whether there is an account. A mail that cannot be sent is logged, without its text.
 * @param options.smtpUrl SMTP_URL, with user and password.
 */
export function createSmtpMailer(
  options: { smtpUrl: string; from: string },
  log: Log,
): { sendMail: SendMail; close(): void } {
  const url = new URL(options.smtpUrl);
  // A server on the way could strip STARTTLS and read the codes; to our own machine there is no way.
  if (!isLoopback(url.hostname)) url.searchParams.set('requireTLS', 'true');
  const transport = createTransport(url.href);
  return {
    async sendMail({ to, subject, text }) {
      transport.sendMail({ from: options.from, to, subject, text }).catch((error: unknown) => {
        const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
        log.error({ code }, 'a mail could not be sent');
      });
    },
    close: () => transport.close(),
  };
}
