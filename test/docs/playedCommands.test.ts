import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../support/runNode.ts';
import { readDocuments } from './documents.ts';
import { fateOf, reasons, rows } from './playedCommands.ts';
import { documentCommands, shellBlocks } from './shellBlocks.ts';

/*
 * Every command that a document has in a block of shell, and every other one that installs something, is run by a test,
 * or has a reason why none can run it. A new command without either fails here.
 */
const commands = [...readDocuments()].flatMap(([document, text]) =>
  documentCommands(text).map((command) => ({ document, command })),
);
const fates = rows.map(({ fate }) => fate);
const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

test('each command of each document is played, or has a reason', () => {
  expect(commands.length).toBeGreaterThan(140);
  const forgotten = commands.filter(({ document, command }) => !fateOf(document, command));
  expect(forgotten).toEqual([]);
});

test('each row is about a command', () => {
  const used = new Set(commands.map(({ document, command }) => fateOf(document, command)));
  expect(rows.filter((row) => !used.has(row))).toEqual([]);
  const given = new Set(fates.flatMap((fate) => ('why' in fate ? [fate.why] : [])));
  expect(Object.keys(reasons).filter((why) => !given.has(why as keyof typeof reasons))).toEqual([]);
});

/** Pages of the site, which a test reads from a running gateway. */
const served = /^\/(?:docs|clients)\.md$/;

test('each test that plays commands takes them from their document', () => {
  const players = commands.flatMap(({ document, command }) => {
    const fate = fateOf(document, command)?.fate;
    return fate && 'playedBy' in fate && !served.test(document) ? [[fate.playedBy, document]] : [];
  });
  expect(players.length).toBeGreaterThan(60);
  for (const [file = '', document = ''] of players) {
    const text = read(file);
    const isTaken = text.includes('commandsPlayedBy(') && text.includes(document);
    expect([file, document, isTaken]).toEqual([file, document, true]);
  }
  const others = fates.flatMap((fate) => ('playedAs' in fate ? [fate.playedAs] : []));
  expect(others.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
});

test('settings in a block of shell are settings of the gateway', () => {
  const known = new Set(
    [...read('docs/operating/settings.md').matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name),
  );
  const named = commands
    .filter(({ document, command }) => 'settings' in (fateOf(document, command)?.fate ?? {}))
    .map(({ command }) => command.split('=')[0]?.replace(/_FILE$/, ''));
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('commands are parsed like a shell does', () => {
  const page = [
    ...['1. Do', '', '   ```sh', '   # First', '   KEY=$(cat key) # yours', '   curl -sS \\'],
    ...['     -d x', '   ```', '', '   ```json', '   { "a": 1 }', '   ```', ''],
    ...['Or `npm install x y`, not `npm ci`.', '', '```console', "cat > a <<'EOF'", 'b, c', 'EOF'],
    ...['a <b>', '```', '```js', 'run(`npx a b`)', '```', '"command": "npx", "args": ["-y", "a"]'],
  ].join('\n');
  expect(shellBlocks(`${page}\n`)).toEqual([
    { commands: ['KEY=$(cat key)', 'curl -sS -d x'], response: { a: 1 } },
    { commands: ["cat > a <<'EOF'\nb, c\nEOF", 'a <b>'], response: null },
  ]);
  expect(documentCommands(`${page}\n`).slice(4)).toEqual(['npm install x y', 'npx -y a']);
});
