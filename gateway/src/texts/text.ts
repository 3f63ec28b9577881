import { readdirSync, readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from '../domain/text/language.ts';
import type { TextValues } from './generated/textValues.ts';
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

/**
 * Types of values by their use in the message: `{name}`, `{count, plural, …}`, `{kind, select, …}`, `<link>…</link>`.
 */
interface ValueTypes<Rich> {
  value: string | number | Rich;
  number: number;
  choice: string;
  passage: (inner: Rich) => Rich;
}

/** The values of a text. @typeParam Rich What it may contain besides strings. */
export type ValuesOf<Key extends TextKey, Rich = never> = {
  [Name in keyof TextValues[Key]]: TextValues[Key][Name] extends keyof ValueTypes<Rich>
    ? ValueTypes<Rich>[TextValues[Key][Name]]
    : never;
};

/** Parameters of a function that writes a text: no second one where the text takes no values. */
export type TextArguments<Key extends TextKey, Rich = never> = keyof TextValues[Key] extends never
  ? [key: Key]
  : [key: Key, values: ValuesOf<Key, Rich>];

/** A text of the catalogue in the current language, with its values filled in. */
export function text<Key extends PlainKey>(...[key, values]: TextArguments<Key>): string {
  const parts = textParts(key, values ?? {});
  return parts.length === 1 ? String(parts[0]) : parts.join('');
}

/** A text whose key is only known when it is written, such as the text of a code. */
export function wordsOf(key: TextKey, values: Values): string {
  return textParts(key, values).join('');
}

type Values = Readonly<Record<string, unknown>>;

/** The pieces of a text whose values are more than strings, in their order. */
export function textParts(key: TextKey, values: Values): unknown[] {
  const { pieces, message } = compiledOf(key);
  if (pieces?.every((piece) => typeof piece === 'string' || isGiven(values[piece.name]))) {
    return pieces.map((piece) => (typeof piece === 'string' ? piece : values[piece.name]));
  }
  const written: unknown = message.format(values as Record<string, string>);
  return Array.isArray(written) ? written : [written];
}

/** The library formats other values, or reports them as missing. */
const isGiven = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'object';

/** A compiled message. */
interface CompiledText {
  message: IntlMessageFormat;
  /**
   * Its literals, and names of values between them; null if it has plurals, choices or passages. A page has hundreds of
   * such texts, and joining them takes a tenth of the library's time.
   */
  pieces: readonly (string | { name: string })[] | null;
}

/** Element types as the library's parser numbers them. */
const elementTypes = { literal: 0, value: 1 } as const;

const compiled: Partial<Record<Language, Map<TextKey, CompiledText>>> = {};

/** A compiled message. All are cached, because their number is that of the texts in the catalogues. */
function compiledOf(key: TextKey): CompiledText {
  const chosen = language();
  const ofLanguage = (compiled[chosen] ??= new Map<TextKey, CompiledText>());
  const cached = ofLanguage.get(key);
  if (cached) return cached;
  const message = new IntlMessageFormat(catalogueOf(chosen)[key] ?? key, locale().numbers);
  const pieces = message.getAst().map((element) => {
    const { type, value } = element as { type: number; value: string };
    if (type === elementTypes.literal) return value;
    return type === elementTypes.value ? { name: value } : null;
  });
  const isSimple = pieces.every((piece) => piece !== null);
  const compiledText = { message, pieces: isSimple ? pieces : null };
  ofLanguage.set(key, compiledText);
  return compiledText;
}

const catalogues = new Map<Language, Readonly<Record<string, string>>>();

/** All texts of a language in message format (ICU), by key; read once. */
export function catalogueOf(chosen: Language): Readonly<Record<string, string>> {
  const cached = catalogues.get(chosen);
  if (cached) return cached;
  const folder = new URL(`${chosen}/`, import.meta.url);
  const entries = readdirSync(folder).flatMap((file) => {
    const texts = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, string>;
    const subject = file.replace(/\.json$/, '');
    return Object.entries(texts).map(([name, message]) => [`${subject}.${name}`, message]);
  });
  const catalogue = Object.fromEntries(entries) as Record<string, string>;
  catalogues.set(chosen, catalogue);
  return catalogue;
}

/** Texts of a subject by name, as a script of a page gets them. */
export function textsOf(subject: string): Readonly<Record<string, string>> {
  const prefix = `${subject}.`;
  const own = Object.entries(catalogueOf(language())).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, message]) => [key.slice(prefix.length), message]));
}
