import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installLocked, npm } from '../../n8n/support/preparePackage.ts';
import { freePort } from '../../support/freePort.ts';
import { projectRoot } from '../../support/runNode.ts';
import { until } from '../../support/until.ts';
import type { ClientWorld } from '../support/clientWorld.ts';

const run = promisify(execFile);

/** Folder of the package's sources; its own node_modules contain Node-RED. */
export const packageFolder = join(projectRoot, 'integrations/node-red');

/** A node of a flow, as Node-RED stores it. */
export type FlowNode = Readonly<Record<string, unknown>> & { id: string; type: string };

/** A running Node-RED with the package installed. */
export interface NodeRed {
  /** Sends a message to the node `id` of the flow. */
  send(id: string, message: object): Promise<void>;
  /** The messages that came out: `results` of the nodes, `errors` of the catch node. */
  heard(): Promise<{ results: Heard[]; errors: Heard[] }>;
  /** Replaces the flow while it runs. */
  deploy(nodes: readonly FlowNode[]): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

type Heard = Record<string, unknown> & { payload: Record<string, unknown> };

/** Builds, packs and installs the package into a folder of Node-RED. */
export async function installNodes(folder: string): Promise<void> {
  await installLocked(packageFolder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  await npm(packageFolder, 'run', 'build');
  const packed = await npm(packageFolder, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const installed = join(folder, 'node_modules/@framegate/node-red');
  await mkdir(installed, { recursive: true });
  const file = join(folder, String(packed.trim().split('\n').at(-1)));
  await run('tar', ['-xzf', file, '-C', installed, '--strip-components=1']);
  const manifest = { dependencies: { '@framegate/node-red': '0.1.0' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
}

const filesIn = (folder: string) => ({
  results: join(folder, 'results.jsonl'),
  errors: join(folder, 'errors.jsonl'),
});

/** The whole flow: an entry for each of the nodes, whose messages and errors end in files. */
function flowOf(world: ClientWorld, nodes: readonly FlowNode[]): FlowNode[] {
  const files = filesIn(world.folder);
  const kept = 'msg.payload = { ...msg, req: undefined, res: undefined, error: msg.error };';
  const end = (id: keyof typeof files) => [
    { id, z: 'tab', type: 'function', func: `${kept} return msg;`, wires: [[`${id}File`]] },
    {
      ...{ id: `${id}File`, z: 'tab', type: 'file', filename: files[id], filenameType: 'str' },
      ...{ appendNewline: true, overwriteFile: 'false', wires: [[]] },
    },
  ];
  const entries = nodes.flatMap(({ id }) => [
    { id: `in-${id}`, z: 'tab', type: 'http in', url: `/${id}`, method: 'post', wires: [[`x-${id}`]] },
    {
      ...{ id: `x-${id}`, z: 'tab', type: 'function', wires: [[id], [`ok-${id}`]] },
      ...{ outputs: 2, func: 'return [{ _msgid: msg._msgid, ...msg.payload }, msg];' },
    },
    { id: `ok-${id}`, z: 'tab', type: 'http response', statusCode: '202', wires: [] },
  ]);
  return [
    { id: 'tab', type: 'tab', label: 'Flow' },
    { id: 'account', type: 'framegate-account', name: '', url: world.baseUrl },
    ...nodes.map((node) => ({ z: 'tab', account: 'account', wires: [['results']], ...node })),
    { id: 'catch', z: 'tab', type: 'catch', scope: null, wires: [['errors']] },
    ...entries,
    ...end('results'),
    ...end('errors'),
  ];
}

/** Starts Node-RED in a folder with the flow; contexts are kept in files. */
export async function startNodeRed(
  world: ClientWorld,
  apiKey: string,
  nodes: readonly FlowNode[],
): Promise<NodeRed> {
  const { folder } = world;
  const port = await freePort();
  const settings = {
    ...{ uiHost: '127.0.0.1', uiPort: port, flowFile: 'flows.json', credentialSecret: false },
    ...{ userDir: folder, contextStorage: { default: { module: 'localfilesystem' } } },
    ...{ logging: { console: { level: 'warn' } }, editorTheme: { tours: false } },
    telemetry: { enabled: false, updateNotification: false },
  };
  await writeFile(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)};`);
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flowOf(world, nodes)));
  await writeFile(join(folder, 'flows_cred.json'), JSON.stringify({ account: { apiKey } }));
  const red = join(packageFolder, 'node_modules/node-red/red.js');
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [red, '--userDir', folder, '--settings', join(folder, 'settings.js')], {
    cwd: folder,
    env: { PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
  }
  const origin = `http://127.0.0.1:${port}`;
  const post = (path: string, body: object, headers = {}) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Node-RED has ended: ${written}`);
    return fetch(`${origin}/flows`).then(
      async (answer) => JSON.stringify(await answer.json()).includes('"catch"'),
      () => false,
    );
  }, `Node-RED has started: ${written}`);
  const linesOf = async (file: string) => {
    const content = await readFile(file, 'utf8').catch(() => '');
    return content.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Heard);
  };
  return {
    async send(id, message) {
      const { status } = await post(`/${id}`, message);
      if (status !== 202) throw new Error(`status ${status}: ${written}`);
    },
    async heard() {
      const { results, errors } = filesIn(folder);
      return { results: await linesOf(results), errors: await linesOf(errors) };
    },
    async deploy(changed) {
      const { status } = await post('/flows', flowOf(world, changed), { 'Node-RED-Deployment-Type': 'full' });
      if (status >= 300) throw new Error(`status ${status}: ${written}`);
    },
    stop: (signal = 'SIGTERM') => ended(child, signal),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('close', () => resolve());
    child.kill(signal);
  });
}
