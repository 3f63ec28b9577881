/** Languages of pages and emails for customers, by tag (RFC 5646). The API, the console and the docs are in English. */
export const languages = ['en', 'de'] as const;
/** A language of pages and emails, by its tag. */
export type Language = (typeof languages)[number];

/** Names of the languages, each in its own language. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** Whether a value is the tag of such a language. */
export function isLanguage(value: unknown): value is Language {
  return languages.some((each) => each === value);
}
