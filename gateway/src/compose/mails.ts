import { join } from 'node:path';
import { createFolderMailer } from '../adapters/mail/mailers.ts';
import { createMailStore } from '../adapters/mongo/mailStore.ts';
import { createMailQueue, createMailSealer } from '../application/site/mailQueue.ts';
import type { PrepareMail, SendMail } from '../application/ports/site.ts';
import { createWriter } from '../application/site/writeMail.ts';
import type { Log, Random } from '../application/ports/system.ts';
import type { Config } from '../config.ts';
import type { Secrets } from '../domain/secretVersions.ts';
import type { OpenDatabase } from './openDatabase.ts';

/** Queues mails for the workers, or writes them to files without a mail server. */
export function composeMails({
  config,
  log,
  mongo,
  random,
  secrets,
}: {
  config: Config;
  log: Log;
  mongo: OpenDatabase;
  random: Random;
  secrets: Secrets;
}): { sendMail: SendMail; prepareMail: PrepareMail | null } {
  const { smtpUrl, from } = config.mail;
  const { clock, models } = mongo;
  const write = createWriter({
    accountUrl: config.urls.account,
    support: config.links.support,
    brand: config.brand,
  });
  if (smtpUrl === null) {
    const folder = { folder: join(config.dataDir, 'mails'), from };
    const keep = createFolderMailer(folder, log, clock);
    return { sendMail: (mail) => keep(write(mail)), prepareMail: null };
  }
  const sealing = { clock, random, secrets: secrets.sessionKeys };
  const queue = createMailQueue({ ...sealing, mails: createMailStore(models) });
  const seal = createMailSealer(sealing);
  return { sendMail: (mail) => queue(write(mail)), prepareMail: (mail) => seal(write(mail)) };
}
