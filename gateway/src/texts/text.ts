import { readdirSync, readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import type { TextValues } from './generated/textValues.ts';
import type { Language } from '../domain/language.ts';
import { language, locale } from './language.ts';

/** Key of a text: the file of the catalogue and the name in it, such as `signIn.title`. */
export type TextKey = keyof TextValues;

/** Keys of texts without marked passages, which `text` can write. */
type PlainKey = {
  [Key in TextKey]: 'passage' extends TextValues[Key][keyof TextValues[Key]] ? never : Key;
}[TextKey];

/** Keys of texts that take no values. */
export type FixedKey = {
  [Key in TextKey]: keyof TextValues[Key] extends never ? Key : never;
}[TextKey];

/** Types of values by their use in the message: `{name}`, `{count, plural, …}`, `{kind, select, …}`, `<link>…</link>`. */
interface Types<Rich> {
  value: string | number | Rich;
  number: number;
  choice: string;
  passage: (inner: Rich) => Rich;
}

/** The values of a text. @typeParam Rich What may stand in it besides strings. */
export type ValuesOf<Key extends TextKey, Rich = never> = {
  [Name in keyof TextValues[Key]]: TextValues[Key][Name] extends keyof Types<Rich>
    ? Types<Rich>[TextValues[Key][Name]]
    : never;
};

/** Parameters of a function that writes a text: no second one where the text takes no values. */
export type TextArguments<Key extends TextKey, Rich = never> = keyof TextValues[Key] extends never
  ? [key: Key]
  : [key: Key, values: ValuesOf<Key, Rich>];

/** A text of the catalogue in the current language, with its values filled in. */
export function text<Key extends PlainKey>(...[key, values]: TextArguments<Key>): string {
  const parts = partsOf(key, values ?? {});
  return parts.join('');
}

/** The pieces of a text whose values are more than strings, in their order. */
export function partsOf(key: TextKey, values: Readonly<Record<string, unknown>>): unknown[] {
  const written: unknown = formatOf(key).format(values as Record<string, string>);
  return Array.isArray(written) ? written : [written];
}

const formats = new Map<string, IntlMessageFormat>();

/** A compiled message; there are as many as texts in the catalogues. */
function formatOf(key: TextKey): IntlMessageFormat {
  const wanted = language();
  const name = `${wanted} ${key}`;
  const known = formats.get(name);
  if (known) return known;
  const format = new IntlMessageFormat(catalogueOf(wanted)[key] ?? key, locale().numbers);
  formats.set(name, format);
  return format;
}

const catalogues = new Map<Language, Readonly<Record<string, string>>>();

/** All texts of a language in message format (ICU), by key; read once. */
export function catalogueOf(wanted: Language): Readonly<Record<string, string>> {
  const known = catalogues.get(wanted);
  if (known) return known;
  const folder = new URL(`${wanted}/`, import.meta.url);
  const entries = readdirSync(folder).flatMap((file) => {
    const texts = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, string>;
    const subject = file.replace(/\.json$/, '');
    return Object.entries(texts).map(([name, message]) => [`${subject}.${name}`, message]);
  });
  const catalogue = Object.fromEntries(entries) as Record<string, string>;
  catalogues.set(wanted, catalogue);
  return catalogue;
}

/** Texts of a subject by name, as a script of a page gets them. */
export function textsOf(subject: string): Record<string, string> {
  const prefix = `${subject}.`;
  const own = Object.entries(catalogueOf(language())).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, message]) => [key.slice(prefix.length), message]));
}
