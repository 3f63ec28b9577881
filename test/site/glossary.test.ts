import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from '@jest/globals';
import { errorCodes, failureCodes } from '@framegate/contract';
import { operatorErrorCodes } from '../../shared/src/operator/errorCodes.ts';
import { languages } from '../../gateway/src/domain/text/language.ts';
import { catalogueOf } from '../../gateway/src/texts/text.ts';
import { glossary, type Word } from './glossary.ts';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** Type of a literal in the library's parser. */
const literal = 0;

/** What a person can read of a message: its literals, without names of values and choices. */
function literalsOf(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    if ('options' in element) {
      return Object.values(element.options).flatMap(({ value }) => literalsOf(value));
    }
    if ('children' in element) return literalsOf(element.children);
    const { type, value } = element as { type: number; value: string };
    return type === literal ? [value] : [];
  });
}

/** The words of a text between single spaces; other signs than those within words end a phrase. */
const wordsOf = (text: string) =>
  ` ${text.replaceAll(/[^\p{L}\p{N}'’\s-]+/gu, ' | ').replaceAll(/\s+/g, ' ')} `;

const capitalised = (phrase: string) => phrase.charAt(0).toUpperCase() + phrase.slice(1);

/** Each use of a word in the texts that has a better one: its place, the word, and the one to use. */
function wrongWords(
  texts: readonly (readonly [place: string, text: string])[],
  rows: readonly Word[],
) {
  return texts.flatMap(([place, text]) => {
    const words = wordsOf(text);
    return rows.flatMap(({ use, not }) =>
      not
        .filter((wrong) => [wrong, capitalised(wrong)].some((each) => words.includes(` ${each} `)))
        .map((wrong) => `${place}: "${wrong}", use "${use}"`),
    );
  });
}

test.each(languages)('pages and emails in %s use the words of the glossary', (language) => {
  const texts = Object.entries(catalogueOf(language)).map(
    ([key, message]) =>
      [key, literalsOf(new IntlMessageFormat(message, language).getAst()).join(' | ')] as const,
  );
  expect(wrongWords(texts, glossary[language])).toEqual([]);
});

/** Customers delete their account; an operator has it erased (`…/erasure`). */
const operatorWords = glossary.en.filter(({ not }) => !not.includes('erasure'));

test.each([
  ['API', { ...errorCodes, ...failureCodes }, glossary.en],
  ['operator API', operatorErrorCodes, operatorWords],
] as const)('so do the errors of the %s', (_, codes, rows) => {
  const texts = Object.entries(codes).map(([code, { message }]) => [code, message] as const);
  expect(wrongWords(texts, rows)).toEqual([]);
});
