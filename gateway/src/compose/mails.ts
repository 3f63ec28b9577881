import { join } from 'node:path';
import { createFolderMailer } from '../adapters/mail/mailers.ts';
import { createMailQueue, createMailSealer } from '../application/site/mailQueue.ts';
import { createWriter } from '../application/site/writeMail.ts';
import type { Config } from '../config.ts';
import type { App } from '../application/app.ts';

/** Queues mails for the workers, or writes them to files without a mail server. */
export function composeMails({
  config,
  ...parts
}: { config: Config } & Pick<App, 'clock' | 'log' | 'mails' | 'random' | 'secrets'>): Pick<
  App,
  'sendMail' | 'prepareMail'
> {
  const { smtpUrl, from } = config.mail;
  const write = createWriter({
    accountUrl: config.urls.account,
    support: config.links.support,
    brand: config.brand,
  });
  if (smtpUrl === null) {
    const folder = { folder: join(config.dataDir, 'mails'), from };
    const keep = createFolderMailer(folder, parts.log, parts.clock);
    return { sendMail: (mail) => keep(write(mail)), prepareMail: null };
  }
  const queue = createMailQueue(parts);
  const seal = createMailSealer(parts);
  return { sendMail: (mail) => queue(write(mail)), prepareMail: (mail) => seal(write(mail)) };
}
