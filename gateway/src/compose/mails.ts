import { join } from 'node:path';
import { createFolderMailer } from '../adapters/mail/mailers.ts';
import { createMailStore } from '../adapters/mongo/mailStore.ts';
import { createMailQueue } from '../application/site/mailQueue.ts';
import type { SendMail } from '../application/site/ports.ts';
import { createWriter } from '../application/site/writeMail.ts';
import type { Log, Random } from '../application/ports/system.ts';
import type { Config } from '../config.ts';
import type { Secrets } from '../domain/secretVersions.ts';
import type { OpenDatabase } from './openDatabase.ts';

/** Writes mails into the queue that workers send from, or into files where there is no mail server. */
export function composeSendMail({
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
}): SendMail {
  const { smtpUrl, from } = config.mail;
  const { clock, models } = mongo;
  const mails = createMailStore(models);
  const send =
    smtpUrl === null
      ? createFolderMailer({ folder: join(config.dataDir, 'mails'), from }, log, clock)
      : createMailQueue({ mails, clock, random, secrets: secrets.sessionKeys });
  const letterhead = { accountUrl: config.urls.account, support: config.links.support };
  return createWriter(send, letterhead);
}
