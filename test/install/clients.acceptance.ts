import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageFolder, pythonEnvironment } from '../clients/python/environment.ts';
import { startProcess, type GatewayProcess } from '../start/gatewayProcess.ts';
import { freePort } from '../support/freePort.ts';
import { mustRun } from '../support/runProgram.ts';
import { copyTracked, linkPackages } from './installCopy.ts';

/*
 * A gateway with packed clients, and the commands of its page /clients as they stand there, each in an empty home, on a
 * computer that has nothing of the project.
 */
let folder: string;
let gateway: GatewayProcess;
let origin: string;
let page: string;
/** Address and key, as the clients read them. */
let account: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-install-clients-'));
  const project = join(folder, 'framegate');
  await mkdir(project);
  await copyTracked(project);
  await linkPackages(project);
  await pack(project);
  const PORT = String(await freePort());
  origin = `http://127.0.0.1:${PORT}`;
  gateway = startProcess({ PORT, DATA_DIR: join(folder, 'data') }, project);
  const [key = ''] = /fg_live_\w+/.exec(await gateway.untilRunning()) ?? [];
  account = { FRAMEGATE_URL: `${origin}/v1`, FRAMEGATE_KEY: key };
  page = await (await fetch(`${origin}/clients.md`)).text();
}, 1_800_000);

afterAll(async () => {
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  await rm(folder, { recursive: true, force: true });
});

async function pack(project: string): Promise<void> {
  const python = await pythonEnvironment(join(packageFolder, 'requirements-dev.txt'));
  const env = { PATH: `${python}:${process.env['PATH'] ?? ''}` };
  await mustRun('npm', ['run', 'clients'], { cwd: project, env });
}

/** The command of a tool on the page. */
function commandOf(title: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const [, command] = /```sh\n(.*?)\n```/s.exec(section) ?? [];
  if (command === undefined) throw new Error(`/clients.md has no command for ${title}`);
  return command;
}

/** An empty home with a shell in it. */
async function emptyHome(name: string) {
  const home = join(folder, name);
  await mkdir(home);
  const env = { HOME: home, ...account, npm_config_prefer_offline: 'true' };
  const shell = (command: string) => mustRun('sh', ['-c', command], { cwd: home, env });
  const node = async (program: string) => {
    await writeFile(join(home, 'program.mjs'), program);
    return mustRun(process.execPath, ['program.mjs'], { cwd: home, env });
  };
  return { home, shell, node };
}

test('the page has a command for each tool', () => {
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    ...['TypeScript and JavaScript', 'Python', 'Command line', 'Agents that start a program (MCP)'],
    ...['AI SDK', 'n8n', 'Node-RED', 'Activepieces', 'Zapier, for the operator'],
    'Operator API, for the product in front',
  ]);
});

test('checksums fit all files of the page', async () => {
  const { shell } = await emptyHome('sums');
  const files = new Set(
    [...page.matchAll(/\]\((http[^)]+\/clients\/[^)]+)\)/g)].map(([, to]) => to),
  );
  expect(files.size).toBe(10);
  for (const file of files) await shell(`curl -sfO ${file}`);
  const checked = await shell('sha256sum --check --strict SHA256SUMS');
  expect(checked.match(/: OK$/gm)).toHaveLength(9);
});

test('TypeScript: a request by the installed client', async () => {
  const { shell, node } = await emptyHome('typescript');
  await shell(commandOf('TypeScript and JavaScript'));
  const balance = await node(`import { Framegate } from '@framegate/client';
const { available } = await new Framegate().credits.balance();
console.log(available);`);
  expect(Number(balance)).toBeGreaterThan(0);
});

test('the command of agents answers a message', async () => {
  const { shell } = await emptyHome('agents');
  const hello = { protocolVersion: '2025-11-25', capabilities: {} };
  const params = { ...hello, clientInfo: { name: 'agent', version: '1.0.0' } };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const command = commandOf('Agents that start a program (MCP)');
  expect(await shell(`echo '${message}' | ${command}`)).toContain('"protocolVersion"');
});

test('Python: a request by the installed wheel', async () => {
  const { shell } = await emptyHome('python');
  await shell('python3 -m venv env');
  await shell(`. env/bin/activate && ${commandOf('Python')}`);
  const program = 'from framegate import Framegate; print(Framegate().credits.balance().available)';
  expect(Number(await shell(`env/bin/python -c '${program}'`))).toBeGreaterThan(0);
});

test('AI SDK and operator API: the installed packages load', async () => {
  const { shell, node } = await emptyHome('ai-sdk');
  await shell(commandOf('AI SDK'));
  await shell(commandOf('Operator API, for the product in front'));
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
  const [, push = ''] = commandOf('Zapier, for the operator').split('\n');
  expect(push).toBe(`FRAMEGATE_BASE_URL=${origin}/v1 zapier-platform push`);
  await shell((commandOf('Zapier, for the operator').split('\n')[0] ?? '').trim());
  expect(await shell('ls package/src/index.ts package/build.js package/.zapierapprc')).toMatch(
    /\w/,
  );
});
