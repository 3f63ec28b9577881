import { AsyncLocalStorage } from 'node:async_hooks';
import type { Language } from '../domain/text/language.ts';

/** Locales of numbers and of dates. */
const locales: Readonly<Record<Language, { numbers: string; dates: string }>> = {
  en: { numbers: 'en-US', dates: 'en-GB' },
  de: { numbers: 'de-DE', dates: 'de-DE' },
};

const current = new AsyncLocalStorage<Language>();

/** Runs a function, and everything that it awaits, in a language. */
export function inLanguage<T>(language: Language, run: () => T): T {
  return current.run(language, run);
}

/** The language of the running request or email: English outside `inLanguage`. */
export function language(): Language {
  return current.getStore() ?? 'en';
}

/** Locales of the current language. */
export function locale(): { numbers: string; dates: string } {
  return locales[language()];
}
