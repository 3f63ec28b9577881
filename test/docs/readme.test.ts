import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createVideoSchema, validateBody } from '@framegate/contract/schemas';
import { projectRoot } from '../support/runNode.ts';

const pages = [
  'README.md',
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

/** The npm scripts of the root, and those of the page's own package. */
function scriptsFor(page: string): ReadonlySet<string> {
  const manifests = ['package.json', join(dirname(page), 'package.json')].filter((file) =>
    existsSync(join(projectRoot, file)),
  );
  const found = manifests.map((file) => JSON.parse(read(file)) as { scripts?: object });
  return new Set(found.flatMap(({ scripts }) => Object.keys(scripts ?? {})));
}

/** Anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('the documents name existing things', () => {
  test.each(pages)('%s: every link to a file leads to one', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, link]) => link ?? '',
    );
    const missing = links.filter((link) => !existsSync(join(projectRoot, dirname(page), link)));
    expect(missing).toEqual([]);
  });

  test.each(pages)('%s: every link to a heading leads to one', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
    const missing = links.filter(([, file = '', anchor = '']) => {
      const target = file === '' ? page : join(dirname(page), file);
      return target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  test.each(pages.filter((page) => /^docs\/(operating|providers)/.test(page)))(
    '%s: cells of tables have at most 25 words, a piece of code being one',
    (page) => {
      const rows = read(page)
        .split('\n')
        .filter((line) => line.startsWith('|'));
      const cells = rows.flatMap((row) => row.replaceAll(/`[^`]+`/g, 'code').split('|'));
      expect(cells.filter((cell) => cell.trim().split(/\s+/).length > 25)).toEqual([]);
    },
  );

  test.each(pages)('%s: every npm script is one', (page) => {
    const named = [...read(page).matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(
      ([, name]) => name,
    );
    const scripts = scriptsFor(page);
    const unknown = named.filter((name) => name !== undefined && !scripts.has(name));
    expect(unknown).toEqual([]);
  });

  const sources = execFileSync('git', ['ls-files', '*.ts'], { cwd: projectRoot, encoding: 'utf8' });
  const endsOfPaths = new Set(
    sources.split('\n').flatMap((file) => {
      const parts = file.split('/');
      return parts.map((_, index) => parts.slice(index).join('/'));
    }),
  );
  test.each(pages)('%s: every source file that it names exists', (page) => {
    const named = [...read(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.ts)`/g)];
    if (/architecture|changing/.test(page)) expect(named.length).toBeGreaterThan(10);
    const missing = named.map(([, file = '']) => file).filter((file) => !endsOfPaths.has(file));
    expect(missing).toEqual([]);
  });

  test("the README's first request is valid", () => {
    const [, body] = /-d '(\{[^']+\})'/.exec(read('README.md')) ?? [];
    expect(validateBody(createVideoSchema, JSON.parse(body ?? 'null'))).toMatchObject({ ok: true });
  });

  test("the README's program is one of the client's, which are run", () => {
    const [program = ''] = /```js\n.*?```/s.exec(read('README.md')) ?? [];
    expect(program).toContain('createAndWait');
    expect(read('integrations/typescript/README.md')).toContain(program);
  });
});

describe('docs/adr', () => {
  const decisions = pages.filter((page) => page.startsWith('docs/adr/')).sort();
  const numberOf = (page: string) => Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(page)?.[1]);

  test('is numbered without gaps', () => {
    expect(decisions.length).toBeGreaterThan(0);
    expect(decisions.map(numberOf)).toEqual(decisions.map((_, index) => index + 1));
  });

  test.each(decisions)('%s has its number, three parts and at most 300 words', (page) => {
    const text = read(page);
    const parts = [...text.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, name]) => name);
    expect(text).toMatch(new RegExp(`^# ${numberOf(page)}\\. \\S`));
    expect(parts).toEqual(['Context.', 'Decision.', 'Consequences.']);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(300);
  });

  test('is linked with its number', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\[(?:ADR |adr\/)(\d+)\]\([^)]*?(\d{4})-[^)]*\)/g)].map(
        ([link = '', shown, target]) => ({ page, link, isRight: Number(shown) === Number(target) }),
      ),
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ isRight }) => !isRight)).toEqual([]);
  });
});
