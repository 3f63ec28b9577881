import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { errorCodes } from '@framegate/contract';
import { projectRoot } from '../support/runNode.ts';

/* One glossary for what people read in n8n, Zapier, Node-RED and Activepieces. */

/** What is not said, and what is. */
const glossary: readonly (readonly [RegExp, string])[] = [
  [/\bPublic API\b/, 'the page API keys'],
  [/\bAPI address\b|\baddress of the API and\b/i, 'base URL'],
  [/\bCredit limit\b/, 'Maximum Credits'],
  [/\be-mails?\b|\bmails?\b/i, 'email'],
  [/\bapi key\b|\bAPI-key\b|\bAPI token\b/, 'API key'],
  [/\bclips?\b|\bfilms?\b/i, 'video'],
  [/\bpictures?\b/i, 'image'],
  [/\bits state\b|\bin the state\b/i, 'status'],
  [/\bfor now\b|\bfor a moment\b/, 'at the moment'],
  [/\b[Ss]omething else than\b/, 'something other than'],
  [/\bleads on\b/, 'redirects'],
  [/\banew\b/, 'again'],
];

const folders = ['n8n/nodes', 'n8n/credentials', 'zapier/src', 'node-red/src', 'activepieces/src'];
const sources = execFileSync(
  'git',
  ['ls-files', '-z', '--', ...folders.map((folder) => `integrations/${folder}`)],
  { cwd: projectRoot, encoding: 'utf8' },
)
  .split('\0')
  // Generated texts are those of the API.
  .filter((file) => /\.(?:ts|html)$/.test(file) && !file.includes('/generated/'));

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

/** Texts in quotes that have a space: code has few. */
const textsIn = (source: string) =>
  [
    ...source
      .replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '')
      .matchAll(/'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"|`[^`]* [^`]*`/g),
  ].map(([text]) => text);

test('the words of the four tools are those of the glossary', () => {
  const texts = sources.flatMap((file) => textsIn(read(file)).map((text) => ({ file, text })));
  expect(texts.length).toBeGreaterThan(400);
  const wrong = texts.flatMap(({ file, text }) =>
    glossary.flatMap(([word, instead]) => (word.test(text) ? [{ file, text, instead }] : [])),
  );
  expect(wrong).toEqual([]);
});

test.each(['node-red/src/framegate.ts', 'activepieces/src/connection.ts'])(
  '%s has advice for codes that exist, which begins with what to do there',
  (file) => {
    const [, table = ''] =
      /const advice[^{]*\{\n(.*?)\n\};/s.exec(read(`integrations/${file}`)) ?? [];
    const entries = [...table.matchAll(/^ {2}(\w+): '(.+)',$/gm)];
    expect(entries.length).toBeGreaterThan(8);
    const client = ['settings', 'errors']
      .map((name) => read(`integrations/typescript/src/${name}.ts`))
      .join('');
    for (const [, code = '', advice = ''] of entries) {
      expect([code, Object.hasOwn(errorCodes, code) || client.includes(`'${code}'`)]).toEqual([
        code,
        true,
      ]);
      expect(advice).toMatch(/^(?:Ask|Check|Open|Raise|Set) .+\.$/);
    }
  },
);
