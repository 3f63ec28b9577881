import type { Language } from '../../gateway/src/domain/text/language.ts';
import type { Word } from './glossary.ts';

/** A text and where it stands. */
export type Text = readonly [place: string, text: string];

/** Endings of a word's forms, which count as the same word if enough is left of it. */
const endings: Readonly<Record<Language, RegExp>> = {
  en: /(?<=\p{L}{3})(?:['’]s|ing|ed|es|s|e)$/u,
  de: /(?<=\p{L}{4})[emnrst]+$/u,
};

/** The words of a text between single spaces; characters outside words end a phrase. */
const wordsOf = (text: string) =>
  ` ${text.replaceAll(/[^\p{L}\p{N}'’\s-]+/gu, ' | ').replaceAll(/\s+/g, ' ')} `;

/** A text with each word in lower case and without its ending. */
const stemsOf = (text: string, language: Language) =>
  text
    .toLowerCase()
    .split(' ')
    .map((word) => word.replace(endings[language], ''))
    .join(' ');

/** Each word in the texts that has a better one: its place, the word, and its replacement. */
export function wrongWords(
  texts: readonly Text[],
  rows: readonly Word[],
  language: Language = 'en',
): string[] {
  const sought = rows.flatMap(({ use, not = [], written = [] }) => [
    ...not.map((wrong) => ({ use, wrong, stems: stemsOf(wrong, language) })),
    ...written.map((wrong) => ({ use, wrong, stems: null })),
  ]);
  const found = texts.flatMap(([place, text]) => {
    const words = wordsOf(text);
    const stems = stemsOf(words, language);
    return sought
      .filter((each) =>
        each.stems === null ? words.includes(` ${each.wrong} `) : stems.includes(` ${each.stems} `),
      )
      .map(({ use, wrong }) => `${place}: "${wrong}", use "${use}"`);
  });
  return [...new Set(found)];
}
