import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock, Log } from '../../application/ports/system.ts';
import type { SendMail } from '../../application/site/ports.ts';

/**
 * For trying out, without a mail server: each mail becomes a file that only the owner of the folder can
 * read, and the log names the page that it leads to. The code stays in the file.
 */
export function createFolderMailer(
  options: { folder: string; from: string },
  log: Log,
  clock: Pick<Clock, 'now'>,
): { sendMail: SendMail; close(): void } {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let number = 0;
  return {
    async sendMail({ to, subject, text, link }) {
      const built = await transport.sendMail({ from: options.from, to, subject, text });
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
      const time = new Date(clock.now()).toISOString().replace(/[:.]/g, '-');
      const file = join(options.folder, `${time}-${process.pid}-${(number += 1)}.eml`);
      await writeFile(`${file}.new`, built.message, { mode: 0o600 });
      await rename(`${file}.new`, file);
      log.info({ link, file }, 'a mail was written: its code is in the file');
    },
    close: () => transport.close(),
  };
}
