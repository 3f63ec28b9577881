import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An email as the folder of a gateway without a mail server keeps it. */
export interface FoundMail {
  text: string;
  subject: string;
  /** The code, without its space; empty when there is none. */
  code: string;
}

/** All emails to an address, the oldest first. */
export async function mailsTo(dataDir: string, email: string): Promise<FoundMail[]> {
  const folder = join(dataDir, 'mails');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .toSorted(byNumber)
      .map((name) => readFile(join(folder, name), 'utf8')),
  );
  return mails
    .filter((text) => new RegExp(`^To: .*${email.replace(/[.+]/g, '\\$&')}`, 'm').test(text))
    .map((text) => ({
      text,
      subject: /^Subject: (.*)$/m.exec(text)?.[1] ?? '',
      code: (/(?:Your code is|Dein Code lautet) (\d{4} \d{4})/.exec(text)?.[1] ?? '').replace(
        ' ',
        '',
      ),
    }));
}

/** Names end in a number that grows with each email of a process. */
const numberOf = (name: string) => Number(/-(\d+)\.eml$/.exec(name)?.[1] ?? 0);
const byNumber = (a: string, b: string) => numberOf(a) - numberOf(b);

/** The code of the last email to an address. */
export async function codeFor(dataDir: string, email: string): Promise<string> {
  return (await mailsTo(dataDir, email)).at(-1)?.code ?? '';
}
