import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, test } from '@jest/globals';
import { errorCodes } from '@framegate/contract';
import { glossary, type Word } from '../site/glossary.ts';
import { sentencesIn, sentencesUnder } from '../site/sentencesIn.ts';
import { type Text, wrongWords } from '../site/wrongWords.ts';
import { projectRoot } from '../support/runNode.ts';

/* One glossary for the texts of n8n, Zapier, Node-RED and Activepieces. */

const folders = ['n8n/nodes', 'n8n/credentials', 'zapier/src', 'node-red/src', 'activepieces/src'];

/** The words of the site, and of the tools' own fields. */
const words: readonly Word[] = [
  ...glossary.en,
  { use: 'Maximum Credits', written: ['Credit limit', 'Credit Limit'] },
];

const read = (file: string) => readFileSync(join(projectRoot, 'integrations', file), 'utf8');

test('the words of the four tools are those of the glossary', () => {
  const texts = sentencesUnder(...folders.map((folder) => `integrations/${folder}`));
  expect(texts.length).toBeGreaterThan(400);
  const page = read('node-red/src/framegate.html');
  const [, editor = ''] = page.split('<script type="text/javascript">');
  // Node-RED only copies this script: nothing else would find an error of its syntax.
  expect(() => new Script(editor.slice(0, editor.indexOf('</script>')))).not.toThrow();
  const ofEditor = sentencesIn(editor).map((text): Text => ['editor', text]);
  expect(wrongWords([...texts, ...ofEditor], words)).toEqual([]);
});

test.each(['node-red/src/framegate.ts', 'activepieces/src/connection.ts'])(
  '%s has advice for existing codes, which begins with the remedy',
  (file) => {
    const [, table = ''] = /const advice[^{]*\{\n(.*?)\n\};/s.exec(read(file)) ?? [];
    const entries = [...table.matchAll(/^ {2}(\w+): ['"](.+)['"],$/gm)];
    expect(entries.length).toBeGreaterThan(8);
    const client = ['settings', 'errors', 'core/options']
      .map((name) => read(`typescript/src/${name}.ts`))
      .join('');
    for (const [, code = '', advice = ''] of entries) {
      expect([code, Object.hasOwn(errorCodes, code) || client.includes(`'${code}'`)]).toEqual([
        code,
        true,
      ]);
      expect(advice).toMatch(/^(?:Ask|Check|Open|Raise|Request|Set) .+\.$/);
    }
  },
);
