import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { languages } from '../../gateway/src/domain/text/language.ts';
import { inLanguage } from '../../gateway/src/texts/language.ts';
import { catalogueOf, text } from '../../gateway/src/texts/text.ts';
import { usesOf } from '../../scripts/targets/textValues.ts';

const english = catalogueOf('en');

test.each(languages)('%s has every text, with the values of the English one', (language) => {
  const catalogue = catalogueOf(language);
  expect(Object.keys(catalogue)).toEqual(Object.keys(english));
  for (const [key, message] of Object.entries(catalogue)) {
    const values = (each = '') => [...usesOf(each)].toSorted();
    expect([key, values(message)]).toEqual([key, values(english[key])]);
    expect([key, message.trim()]).toEqual([key, message]);
  }
});

/** Names and international words are equal in languages as near as German, which has 2 % of them. */
const maxEqualShare = 0.04;

test.each(languages.filter((each) => each !== 'en'))('%s is translated', (language) => {
  const catalogue = catalogueOf(language);
  const equal = Object.entries(english).filter(([key, message]) => catalogue[key] === message);
  expect(equal.length / Object.keys(english).length).toBeLessThan(maxEqualShare);
  expect(equal.filter(([, message]) => message.split(' ').length > 3)).toEqual([]);
});

test('every text is used by the code', async () => {
  const { readFile } = await import('node:fs/promises');
  const root = new URL('../../gateway/src/', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|js)$/.test(file) && !file.startsWith('texts/generated/'),
  );
  const code = await Promise.all(files.map((file) => readFile(new URL(file, root), 'utf8')));
  const all = code.join('\n');
  // Read once, because a search of all code for each text takes seconds.
  const quoted = new Set([...all.matchAll(/'(?=([^'\n]+)')/g)].map(([, words]) => words));
  const prefixes = new Set(
    [...all.matchAll(/textsOf\('([^']+)'\)|`(\w+\.\w*)\$\{/g)].map(([, subject, prefix = '']) =>
      subject === undefined ? prefix : `${subject}.`,
    ),
  );
  const isUsed = (key: string) =>
    quoted.has(key) || [...prefixes].some((prefix) => key.startsWith(prefix));
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([]);
});

test('texts of scripts have nothing but values, which scripts fill in', () => {
  const ofScripts = Object.entries(english).filter(([key]) => /^(scripts|\w+Script)\./.test(key));
  const uses = ofScripts.flatMap(([, message]) => [...usesOf(message).values()]);
  expect(new Set(uses)).toEqual(new Set(['value']));
  expect(ofScripts.filter(([, message]) => /'['{}<]|#/.test(message))).toEqual([]);
});

test('a text is in the language of what runs', () => {
  const title = () => text('site.skip');
  expect([title(), inLanguage('de', title), title()]).toEqual([
    'Skip to content',
    'Zum Inhalt springen',
    'Skip to content',
  ]);
});
