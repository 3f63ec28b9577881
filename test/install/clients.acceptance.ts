import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { version } from '../../gateway/src/compose/version.ts';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { shellBlocks } from '../docs/shellBlocks.ts';
import { mustRun } from '../support/runProgram.ts';
import { type PackedGateway, startPackedGateway } from './packedGateway.ts';

/*
 * A gateway with packed clients, and the commands of its page /clients, each unchanged in an empty home, on a computer
 * without the project.
 */
let world: PackedGateway;
let page: string;

beforeAll(async () => {
  world = await startPackedGateway();
  page = await (await fetch(`${world.origin}/clients.md`)).text();
}, 1_800_000);

afterAll(() => world.stop());

/** The commands of a tool on the page. */
function commandsFor(title: string): readonly string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const [block] = shellBlocks(section);
  if (block === undefined) throw new Error(`/clients.md has no command for ${title}`);
  return block.commands;
}
const commandOf = (title: string) => commandsFor(title)[0] ?? '';

/** The commands of a document, with the URL of this gateway. */
const written = (document: string) =>
  commandsPlayedBy('test/install/clients.acceptance.ts', document).map((command) =>
    command.replaceAll('https://api.example.com', world.origin),
  );

const emptyHome = (name: string) => world.emptyHome(name);

test('the page has a command for each tool', () => {
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    ...[
      'TypeScript and JavaScript',
      'Python',
      'Go',
      'Command line',
      'Agents that start a program (MCP)',
    ],
    ...['AI SDK', 'n8n', 'Node-RED', 'Activepieces', 'Zapier, for the operator'],
    'Operator API, for your own product',
  ]);
});

test('checksums fit all files of the page', async () => {
  const { shell } = await emptyHome('sums');
  const files = new Set(
    [...page.matchAll(/\]\((http[^)]+\/clients\/[^)]+)\)/g)].map(([, to]) => to),
  );
  expect(files.size).toBe(11);
  for (const file of files) await shell(`curl -sfO ${file}`);
  const checked = await shell('sha256sum --check --strict SHA256SUMS');
  expect(checked.match(/: OK$/gm)).toHaveLength(10);
});

/** The message with which an agent begins. */
const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1.0.0' },
  },
});

describe('as the documents write them', () => {
  /** Lines that install a package, and the resulting files below the home. */
  test.each([
    ['integrations/activepieces/README.md', `framegate-piece-framegate-${version}.tgz`],
    ['integrations/ai-sdk/README.md', 'node_modules/@framegate/ai-sdk-provider/dist/index.js'],
    ['integrations/n8n/README.md', '.n8n/nodes/node_modules/n8n-nodes-framegate/package.json'],
    ['integrations/node-red/README.md', '.node-red/node_modules/@framegate/node-red/package.json'],
    ['integrations/operator/README.md', 'node_modules/@framegate/operator/dist/index.js'],
  ])('%s', async (document, file) => {
    const { home, shell } = await emptyHome(document.replaceAll('/', '-'));
    // Every user of Node-RED has this folder.
    await mkdir(join(home, '.node-red'));
    for (const line of written(document)) await shell(line);
    expect((await stat(join(home, file))).size).toBeGreaterThan(0);
  });

  test('python', async () => {
    const { shell } = await emptyHome('written-python');
    await shell('python3 -m venv env');
    const [line = ''] = written('integrations/python/README.md');
    await shell(`. env/bin/activate && ${line} && python -c 'import framegate'`);
  });

  test.each(['docs/mcp.md', 'integrations/typescript/README.md'])(
    'the program of an agent in %s answers a message',
    async (document) => {
      const { shell } = await emptyHome(`agents-${document.length}`);
      const [line = ''] = written(document).filter((each) => each.startsWith('npx '));
      expect(await shell(`echo '${hello}' | ${line}`)).toContain('"protocolVersion"');
    },
  );

  test('the command line: from its installation to a table of videos', async () => {
    const { home, shell } = await emptyHome('command-line');
    const lines = written('integrations/typescript/README.md').filter(
      (each) => !each.startsWith('npx '),
    );
    for (const line of lines) {
      // Where there is no terminal, it reads the key alone.
      await shell(
        line === 'framegate login'
          ? `echo "$FRAMEGATE_KEY" | ${line} --base-url "$FRAMEGATE_URL"`
          : line,
      );
    }
    expect(await readdir(home)).toEqual(
      expect.arrayContaining([
        ...['boat.mp4', 'lighthouse.png', 'lighthouse-2.png'],
        ...['prompts-2.mp4', 'prompts-3.mp4'],
      ]),
    );
  });
});

test('TypeScript: a request by the installed client', async () => {
  const { shell, node } = await emptyHome('typescript');
  await shell(commandOf('TypeScript and JavaScript'));
  const balance = await node(`import { Framegate } from '@framegate/client';
const { available } = await new Framegate().credits.balance();
console.log(available);`);
  expect(Number(balance)).toBeGreaterThan(0);
});

test('the command for agents answers a message', async () => {
  const { shell } = await emptyHome('agents');
  const command = commandOf('Agents that start a program (MCP)');
  expect(await shell(`echo '${hello}' | ${command}`)).toContain('"protocolVersion"');
});

test('Python: a request by the installed wheel', async () => {
  const { shell } = await emptyHome('python');
  await shell('python3 -m venv env');
  await shell(`. env/bin/activate && ${commandOf('Python')}`);
  const program = 'from framegate import Framegate; print(Framegate().credits.balance().available)';
  expect(Number(await shell(`env/bin/python -c '${program}'`))).toBeGreaterThan(0);
});

test('Go: the unpacked module compiles in another, by the page and by the README', async () => {
  const caches = await mustRun('go', ['env', 'GOMODCACHE', 'GOCACHE']);
  const [modules = '', compiled = ''] = caches.split('\n');
  const [edit = ''] = commandsFor('Go').slice(1);
  const ways = { page: commandsFor('Go'), readme: [...written('integrations/go/README.md'), edit] };
  for (const [name, lines] of Object.entries(ways)) {
    const { home, shell } = await emptyHome(`go-${name}`);
    const own = `export GOMODCACHE='${modules}' GOCACHE='${compiled}' GOTOOLCHAIN=local`;
    const program = 'package main\n\nimport "github.com/framegate/framegate-go"\n';
    await writeFile(
      join(home, 'main.go'),
      `${program}\nfunc main() { print(framegate.Version) }\n`,
    );
    const play = ['go mod init example.com/sample', ...lines, 'go mod tidy', 'go run .'];
    expect(await shell([own, 'set -e', ...play].join('\n'))).toContain(version);
  }
});

test('AI SDK and operator API: the installed packages load', async () => {
  const { shell, node } = await emptyHome('ai-sdk');
  await shell(commandOf('AI SDK'));
  await shell(commandOf('Operator API, for your own product'));
  const loaded = await node(`import 'ai';
import { framegate } from '@framegate/ai-sdk-provider';
import { FramegateOperator } from '@framegate/operator';
console.log(framegate.image('image-b-2').modelId, typeof FramegateOperator);`);
  expect(loaded.trim()).toBe('image-b-2 function');
});

/** The manifest of an installed package. */
async function manifestOf(place: string) {
  const text = await readFile(join(place, 'package.json'), 'utf8');
  return JSON.parse(text) as Record<string, Record<string, unknown>>;
}

test('n8n and Node-RED: the nodes are where these look for them', async () => {
  const { home, shell } = await emptyHome('nodes');
  await mkdir(join(home, '.node-red'));
  await shell(commandOf('n8n'));
  await shell(commandOf('Node-RED'));
  const n8n = join(home, '.n8n/nodes/node_modules/n8n-nodes-framegate');
  const red = join(home, '.node-red/node_modules/@framegate/node-red');
  const places = [
    ...((await manifestOf(n8n))['n8n']?.['nodes'] as string[]).map((file) => join(n8n, file)),
    ...Object.values((await manifestOf(red))['node-red']?.['nodes'] as object).map((file: string) =>
      join(red, file),
    ),
  ];
  expect(places).toHaveLength(2);
  for (const place of places) expect((await stat(place)).size).toBeGreaterThan(0);
});

test('Activepieces and Zapier: the archives hold what is uploaded', async () => {
  const { shell } = await emptyHome('archives');
  await shell(commandOf('Activepieces'));
  const piece = await shell('tar -tzf framegate-piece-framegate-*.tgz');
  expect(piece).toContain('package/dist/activepieces/src/index.js\n');
  // Zapier's command line tool needs an account, so it is only named here.
  const [unpack = '', push] = commandsFor('Zapier, for the operator');
  expect(push).toBe(`FRAMEGATE_BASE_URL=${world.origin}/v1 zapier-platform push`);
  await shell(unpack);
  expect(await shell('ls package/src/index.ts package/build.js package/.zapierapprc')).toMatch(
    /\w/,
  );
});
