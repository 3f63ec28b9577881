import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/freePort.ts';
import { hurry } from '../../support/hurry.ts';
import { projectRoot } from '../../support/runNode.ts';
import { until } from '../../support/until.ts';
import { unpackBuilt } from '../support/unpackBuilt.ts';

/** Folder of the package's sources; its own node_modules contain Node-RED. */
const packageFolder = join(projectRoot, 'integrations/node-red');

/** A node of a flow, as Node-RED stores it. */
export type FlowNode = Readonly<Record<string, unknown>> & { id: string; type: string };

/** A message at the end of the flow; `error` is present if the catch node caught it. */
export type Heard = Record<string, unknown> & {
  payload: Record<string, unknown>;
  error?: { message: string };
};

/** Node-RED in a folder of its own. */
export interface NodeRed {
  /** Replaces its flow by the admin API. */
  deploy(flow: readonly FlowNode[]): Promise<void>;
  /** Sends a message to the node `id` of the flow. */
  send(id: string, message: object): Promise<void>;
  /** All messages of the flow's end, in order. */
  heard(): Promise<Heard[]>;
  /** Node-RED's output since its last start. */
  log(): string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Installs the nodes where Node-RED looks for them, without any dependency. */
export async function installNodes(folder: string): Promise<void> {
  await unpackBuilt(folder, packageFolder);
  const manifest = { dependencies: { '@framegate/node-red': '*' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
}

/**
 * A flow with an entry for each of the nodes; their messages, and errors, end in a file.
 * @param url Address of the API.
 */
export function flowOf(folder: string, url: string, apiKey: string, nodes: readonly FlowNode[]) {
  const place = (id: string, type: string, rest: object): FlowNode => ({
    // Without a place on the canvas it would be a node of settings.
    id,
    z: 'tab',
    type,
    x: 100,
    y: 100,
    ...rest,
  });
  const entries = nodes.flatMap(({ id }) => [
    place(`in-${id}`, 'http in', { url: `/${id}`, method: 'post', wires: [[`split-${id}`]] }),
    place(`split-${id}`, 'function', {
      func: 'return [{ _msgid: msg._msgid, ...msg.payload }, msg];',
      outputs: 2,
      wires: [[id], [`response-${id}`]],
    }),
    place(`response-${id}`, 'http response', { statusCode: '202', wires: [] }),
  ]);
  return [
    { id: 'tab', type: 'tab', label: 'Flow' },
    { id: 'account', type: 'framegate-account', name: '', url, credentials: { apiKey } },
    ...nodes.map(({ id, type, ...rest }) =>
      place(id, type, { account: 'account', wires: [['end']], ...rest }),
    ),
    place('catch', 'catch', { scope: null, wires: [['end']] }),
    place('end', 'function', { func: 'return { payload: { ...msg } };', wires: [['file']] }),
    place('file', 'file', {
      filename: join(folder, 'heard.jsonl'),
      filenameType: 'str',
      appendNewline: true,
      overwriteFile: 'false',
      wires: [[]],
    }),
    ...entries,
  ];
}

/** Prepares Node-RED in a folder, with a context store as the help of the nodes advises. */
export async function prepareNodeRed(folder: string): Promise<NodeRed> {
  const port = await freePort();
  const settings = {
    uiHost: '127.0.0.1',
    uiPort: port,
    flowFile: 'flows.json',
    userDir: folder,
    contextStorage: {
      default: { module: 'memory' },
      orders: { module: 'localfilesystem', config: { cache: false } },
    },
    telemetry: { enabled: false, updateNotification: false },
  };
  const file = join(folder, 'settings.js');
  await writeFile(file, `module.exports = ${JSON.stringify(settings)};`);
  let child: ChildProcess | undefined;
  let log = '';
  async function post(path: string, body: object, headers = {}): Promise<void> {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (status >= 300) throw new Error(`${path}: status ${status}: ${log}`);
  }
  return {
    async deploy(flow) {
      const { length } = log;
      await post('/flows', flow, { 'node-red-deployment-type': 'full' });
      // The response comes before the flows take messages.
      await until(() => log.slice(length).includes('Started flows'), 'the flows have started');
    },
    send: (id, message) => post(`/${id}`, message),
    async heard() {
      const text = await readFile(join(folder, 'heard.jsonl'), 'utf8').catch(() => '');
      // The last line may still be incomplete.
      const lines = text.split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as Heard);
    },
    log: () => log,
    async start() {
      const { PATH = '' } = process.env;
      const program = join(packageFolder, 'node_modules/node-red/red.js');
      const args = ['--import', hurry, program, '--userDir', folder, '--settings', file];
      const env = { PATH, HOME: folder };
      const started = spawn(process.execPath, args, { cwd: folder, env });
      child = started;
      log = '';
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
      }
      await until(() => {
        if (started.exitCode !== null) throw new Error(`Node-RED has ended: ${log}`);
        return log.includes('Started flows');
      }, 'Node-RED has started its flows');
    },
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        const isOver = !child || child.exitCode !== null || child.signalCode !== null;
        if (isOver) resolve();
        child?.once('close', () => resolve());
        child?.kill(signal);
      }),
  };
}
