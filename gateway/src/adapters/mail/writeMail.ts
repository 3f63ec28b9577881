import type { Brand } from '../../domain/brand/brand.ts';
import { escapeHtml, wrapWords } from '../../domain/text/text.ts';
import { language } from '../../texts/language.ts';
import { text } from '../../texts/text.ts';

/** Longest line of an email's text, in characters. */
const lineLength = 72;

/** Parts common to every email of this gateway. */
export interface Letterhead {
  /** ACCOUNT_URL, without a trailing slash. */
  accountUrl: string;
  /** SUPPORT_URL, or null. */
  support: string | null;
  brand: Pick<Brand, 'name' | 'colours'>;
}

/** A part of an email: a paragraph, a code to type, or a button that opens a page. */
export type MailPart = string | { code: string } | { button: string; url: string };

/** The content of an email, its parts in display order. */
export interface MailWords {
  subject: string;
  parts: readonly MailPart[];
}

/** Renders an email as text and as HTML, in the current language. */
export const writeMail = (words: MailWords, letterhead: Letterhead) => ({
  text: asText(words, letterhead),
  html: asHtml(words, letterhead),
});

function asText({ parts }: MailWords, { support }: Letterhead): string {
  const paragraphs = parts.map((part) => {
    if (typeof part === 'string') return wrapWords(part, lineLength).join('\n');
    return 'code' in part ? text('mails.yourCode', { code: part.code }) : part.url;
  });
  const way = `${text('mails.questions')} ${text('mails.support')}`;
  const footer = support === null ? [] : [`${way}: ${support.replace(/^mailto:/, '')}`];
  return `${[...paragraphs, ...footer].join('\n\n')}\n`;
}

/* Inline styles, because mail programs drop most of a style sheet. Nothing is loaded from anywhere. */
const styles = {
  body: 'margin:0;padding:24px 16px;background:#f2f5f5;color:#152022;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif',
  card: 'max-width:520px;margin:0 auto;padding:24px;border-radius:12px;background:#ffffff',
  brand: 'margin:0 0 16px;font-size:18px;font-weight:700',
  text: 'margin:0 0 16px',
  code: 'margin:0 0 16px;font:700 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:2px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none',
  quiet: 'max-width:520px;margin:16px auto 0;color:#526163;font-size:13px',
};

function asHtml({ subject, parts }: MailWords, { accountUrl, support, brand }: Letterhead): string {
  const { accent, onAccent } = brand.colours.light;
  const button = `${styles.button};background:${accent};color:${onAccent}`;
  const blocks = parts.map((part) => {
    if (typeof part === 'string') return `<p style="${styles.text}">${escapeHtml(part)}</p>`;
    if ('code' in part) return `<p style="${styles.code}">${escapeHtml(part.code)}</p>`;
    return `<p style="${styles.text}"><a href="${escapeHtml(part.url)}" style="${button}">${escapeHtml(part.button)}</a></p>`;
  });
  const footer =
    support === null
      ? ''
      : `<p style="${styles.quiet}">${escapeHtml(text('mails.questions'))} <a href="${escapeHtml(support)}" style="color:inherit">${escapeHtml(text('mails.support'))}</a></p>`;
  return [
    '<!doctype html>',
    `<html lang="${language()}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="${styles.body}"><div style="${styles.card}">`,
    `<p style="${styles.brand};color:${accent}"><a href="${escapeHtml(accountUrl)}" style="color:inherit;text-decoration:none">${escapeHtml(brand.name)}</a></p>`,
    ...blocks,
    `</div>${footer}</body></html>`,
  ].join('\n');
}
