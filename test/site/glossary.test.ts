import { describe, expect, test } from '@jest/globals';
import { IntlMessageFormat } from 'intl-messageformat';
import { errorCodes, failureCodes } from '@framegate/contract';
import { commands } from '../../gateway/src/commands/commands.ts';
import { languages } from '../../gateway/src/domain/text/language.ts';
import { settings } from '../../gateway/src/settings/settings.ts';
import { catalogueOf } from '../../gateway/src/texts/text.ts';
import { operatorErrorCodes, operatorMessages } from '../../shared/src/operator/errorCodes.ts';
import { glossary } from './glossary.ts';
import { gap, sentencesIn, sentencesUnder } from './sentencesIn.ts';
import { type Text, wrongWords } from './wrongWords.ts';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** Type of a literal in the library's parser. */
const literal = 0;

/** All sentences of a message without its values, one for each choice of its plurals. */
function sentencesOf(elements: readonly Element[]): string[] {
  return elements.reduce<string[]>(
    (begun, element) => {
      const next = variantsOf(element);
      return begun.flatMap((start) => next.map((end) => start + end));
    },
    [''],
  );
}

function variantsOf(element: Element): string[] {
  if ('options' in element) {
    return Object.values(element.options).flatMap(({ value }) => sentencesOf(value));
  }
  if ('children' in element) return sentencesOf(element.children);
  const { type, value } = element as { type: number; value: string };
  return [type === literal ? value : gap];
}

test.each(languages)('pages and emails in %s use the words of the glossary', (language) => {
  const texts = Object.entries(catalogueOf(language)).flatMap(([key, message]) =>
    sentencesOf(new IntlMessageFormat(message, language).getAst()).map((sentence): Text => [
      key,
      sentence,
    ]),
  );
  expect(wrongWords(texts, glossary[language], language)).toEqual([]);
});

/** Customers delete their account; an operator has it erased (`…/erasure`), or withdraws the erasure. */
const operatorWords = glossary.en.filter(
  ({ not = [] }) => !not.includes('erasure') && !not.includes('withdraw'),
);

const messagesOf = (codes: Readonly<Record<string, { message: string }>>) =>
  Object.entries(codes).map(([code, { message }]): Text => [code, message]);

test.each([
  ['errors of the API', messagesOf({ ...errorCodes, ...failureCodes }), glossary.en],
  ['errors of the operator API', messagesOf(operatorErrorCodes), operatorWords],
  ['its own words for shared errors', Object.entries(operatorMessages), operatorWords],
  [
    'settings',
    Object.entries(settings).map(([name, { meaning }]): Text => [
      name,
      meaning.replaceAll(/`[^`]*`/g, gap),
    ]),
    operatorWords,
  ],
  [
    'admin commands',
    Object.entries(commands).map(([name, { summary }]): Text => [name, summary]),
    operatorWords,
  ],
  [
    'console',
    sentencesUnder('gateway/src/http/staff', 'gateway/src/application/staff'),
    operatorWords,
  ],
] as const)('so do the %s', (_, texts, rows) => {
  expect(texts.length).toBeGreaterThan(5);
  expect(wrongWords(texts, rows)).toEqual([]);
});

describe('a word to avoid is found', () => {
  const row = { use: 'x', not: ['wrong word', 'somebody'], written: ['sounds'] };
  const found = (text: string) => wrongWords([['here', text]], [row]);
  const foundIn = (message: string) =>
    sentencesOf(new IntlMessageFormat(message, 'en').getAst()).flatMap(found);

  test('in any case and form', () => {
    for (const text of ['A Wrong Word.', 'WRONG WORDS', "is it somebody's?", 'Somebody']) {
      expect(found(text)).toHaveLength(1);
    }
    expect(found('a wrong, word')).toEqual([]);
    expect(['makes sounds', 'with sound'].map((text) => found(text).length)).toEqual([1, 0]);
  });

  test('across a plural, but not across a value', () => {
    expect(foundIn('{n, plural, one {A wrong} other {# wrong}} word')).toHaveLength(2);
    expect(foundIn('a wrong {name} word')).toEqual([]);
  });

  test('in sentences of a program', () => {
    const program =
      'needs(\'wrong word\'); html`<b class="wrong word">${a} is a wrong</b> word ${b}`;';
    expect(sentencesIn(program).map(found)).toEqual([[]]);
    expect(sentencesIn("say('A wrong word');").flatMap(found)).toHaveLength(1);
  });
});
