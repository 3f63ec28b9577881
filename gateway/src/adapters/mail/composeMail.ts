import type { Mail, WrittenMail } from '../../application/ports/mails.ts';
import { describeBrowser } from '../../texts/describeBrowser.ts';
import { inLanguage, language, locale } from '../../texts/language.ts';
import { roleName, teamLabel } from '../../texts/teamWords.ts';
import { type TextKey, wordsOf } from '../../texts/text.ts';
import { type MailRow, mailTable } from './mailTable.ts';
import { type Letterhead, type MailPart, writeMail } from './writeMail.ts';

type Values = Readonly<Record<string, unknown>>;

/** Formatters of values, by their names. */
const worded: Readonly<Record<string, (value: never) => string>> = {
  at: formatTime,
  day: formatDay,
  browser: describeBrowser,
  role: roleName,
  team: teamLabel,
};

/**
 * Composes emails from their texts, in the language of each.
 * @param site.consoleUrl Address of the console, without a trailing slash.
 */
export function createMailComposer(
  site: Letterhead & { consoleUrl: string },
): (mail: Mail) => WrittenMail {
  return ({ kind, values, language: chosen = language(), ...mail }) =>
    inLanguage(chosen, () => {
      const row = mailTable[kind] as MailRow<Values>;
      const base = row.page.startsWith('/staff/') ? site.consoleUrl : site.accountUrl;
      const { link, ...words } = fillMail(
        row,
        wordValues({ brand: site.brand.name, ...values }),
        base,
      );
      return { ...mail, link, subject: words.subject, ...writeMail(words, site) };
    });
}

const wordValues = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, worded[name]?.(value as never) ?? value]),
  );

function fillMail({ subject, parts, page }: MailRow<Values>, values: Values, base: string) {
  const say = (name: string, more: object = {}) =>
    wordsOf(`mails.${name}` as TextKey, { ...values, ...more });
  const urlOf = (path: string) =>
    base +
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const link = urlOf(page);
  const writtenParts = parts.flatMap((part): MailPart[] => {
    if (typeof part === 'string') return [say(part)];
    if ('words' in part) return [say(part.words, { url: urlOf(part.url) })];
    if ('quote' in part) return String(values[part.quote]).split(/\r?\n\r?\n/);
    if ('each' in part) return (values[part.of] as object[]).map((item) => say(part.each, item));
    if ('code' in part) return [{ code: String(values['code']) }];
    return [{ button: say(part.button), url: part.path ? urlOf(part.path) : link }];
  });
  return { link, subject: say(subject), parts: writtenParts.filter((part) => part !== '') };
}

/** A time (UTC) in an email. */
function formatTime(ms: number): string {
  if (language() === 'en') return new Date(ms).toUTCString();
  const format = new Intl.DateTimeFormat(locale().dates, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(ms)} UTC`;
}

function formatDay(ms: number): string {
  const { dates } = locale();
  return new Intl.DateTimeFormat(dates, { dateStyle: 'long', timeZone: 'UTC' }).format(ms);
}
