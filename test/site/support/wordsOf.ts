/** Texts of a page that a person reads or hears; code and samples are left out. */
export function wordsOf(page: string): string[] {
  const shown = page.replace(/<(script|style|pre|code|svg)\b[^]*?<\/\1>/g, ' ');
  const heard = [...shown.matchAll(/\s(?:aria-label|placeholder|alt|title)="([^"]+)"/g)];
  const texts = [...shown.replace(/^[^]*?<head>/, '<head>').matchAll(/>([^<>]+)</g)];
  return [...texts, ...heard]
    .map(([, words = '']) => words.replace(/\s+/g, ' ').trim())
    .filter((words) => /\p{L}{2}/u.test(words));
}

/** Subject and paragraphs of an email as a folder keeps it, without addresses. */
export function paragraphsOf(mail: string): string[] {
  const subject = (/^Subject: ([^]*?)\r?\n(?!\s)/m.exec(mail)?.[1] ?? '').replace(
    /=\?UTF-8\?Q\?(.*?)\?=\s*/g,
    (_, quoted: string) => decoded(quoted.replaceAll('_', ' ')),
  );
  const part = /Content-Type: text\/plain[^]*?\r?\n\r?\n([^]*?)\r?\n--/.exec(mail)?.[1] ?? '';
  const body = /quoted-printable/.test(mail.split('text/html')[0] ?? '') ? decoded(part) : part;
  return [subject, ...body.split(/\r?\n\r?\n/)]
    .map((words) => words.replace(/\s+/g, ' ').trim())
    .filter((words) => /\p{L}{2}/u.test(words) && !/^https?:\S+$/.test(words));
}

/** Quoted-printable (RFC 2045) in UTF-8. */
function decoded(quoted: string): string {
  const bytes = quoted
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
