import { join } from 'node:path';
import { createMailComposer } from '../adapters/mail/composeMail.ts';
import { createFolderMailer } from '../adapters/mail/mailers.ts';
import type { App } from '../application/app.ts';
import { createMailQueue, createMailSealer } from '../application/mails/mailQueue.ts';
import type { Config } from '../config.ts';
import { language } from '../texts/language.ts';

/** Queues emails for the workers, or writes them to files without a mail server. */
export function composeMails({
  config,
  ...parts
}: { config: Config } & Pick<App, 'clock' | 'log' | 'mails' | 'random' | 'sessionKeys'>): Pick<
  App,
  'sendMail' | 'prepareMail' | 'currentLanguage'
> {
  const { smtpUrl, from } = config.mail;
  const compose = createMailComposer({
    accountUrl: config.urls.account,
    consoleUrl: config.urls.console,
    support: config.outsideLinks.support,
    brand: config.brand,
  });
  if (smtpUrl === null) {
    const folder = { folder: join(config.dataDir, 'mails'), from };
    const keep = createFolderMailer(folder, parts.log, parts.clock);
    return {
      sendMail: (mail) => keep(compose(mail)),
      prepareMail: null,
      currentLanguage: language,
    };
  }
  const queue = createMailQueue(parts);
  const seal = createMailSealer(parts);
  return {
    sendMail: (mail) => queue(compose(mail)),
    prepareMail: (mail) => seal(compose(mail)),
    currentLanguage: language,
  };
}
