import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/freePort.ts';
import { withThisNode } from '../../support/install.ts';
import { until } from '../../support/until.ts';
import { type N8nApi, n8nApi } from './n8nApi.ts';
import type { InstalledN8n } from './n8nInstance.ts';
import { packedNodes } from './preparePackage.ts';

const run = promisify(execFile);

/** A real n8n with the packed node in it. */
export interface N8n extends N8nApi {
  /** Home folder of this n8n; `.n8n-files` in it is where its nodes may write. */
  home: string;
  origin: string;
  /** Runs a command of n8n's own command line, such as `execute --id=…`, in a process of its own. */
  command(...args: string[]): Promise<string>;
  start(): Promise<void>;
  /** Starts a worker of the queue that the server fills. @returns A function that reads its log so far. */
  startWorker(): Promise<() => string>;
  /** Ends the server; with `SIGKILL` at once. */
  stopServer(signal?: NodeJS.Signals): Promise<void>;
  /** Ends server and workers, and removes the folder. */
  stop(): Promise<void>;
}

/** The owner of the test's n8n, known only to the tests on this machine. */
export const owner = {
  email: 'owner@example.com',
  password: 'Owner-of-tests-1',
  hash: '$2a$10$SG8C/QfIyQZHJcIKfS485.mVThds6PbK0gr0k8OlS5YHPvCP6Gt1m',
};

/**
 * Prepares an n8n in its own folder, with the packed package installed as a community node.
 * @param settings Further environment of its processes.
 */
export async function prepareN8n(
  installed: InstalledN8n,
  settings: Record<string, string> = {},
): Promise<N8n> {
  const home = await mkdtemp(join(tmpdir(), 'framegate-n8n-home-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await mkdir(join(home, '.n8n-files'));
  await cp(packedNodes, join(home, '.n8n/nodes'), { recursive: true });
  const env = { ...environment(home, port, await freePort()), ...settings };
  const api = n8nApi(origin);
  const workers: Process[] = [];
  let server: Process | undefined;

  function launch(command: string, more: NodeJS.ProcessEnv = {}): Process {
    const options = { cwd: home, env: { ...env, ...more } };
    const child = spawn(installed.node, [installed.program, command], options);
    const log: string[] = [];
    const note = (chunk: Buffer) => log.push(chunk.toString());
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    const ended = once(child, 'exit');
    const early = ended.then(() => {
      throw new Error(`n8n ended: ${log.join('')}`);
    });
    early.catch(() => undefined);
    return { child, ended, early, log: () => log.join('') };
  }

  async function command(...args: string[]): Promise<string> {
    const own = { ...env, N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
    const options = { cwd: home, env: own, maxBuffer: 256 * 1024 * 1024 };
    const { stdout, stderr } = await run(installed.node, [installed.program, ...args], options);
    return stdout + stderr;
  }

  const n8n: N8n = {
    ...api,
    home,
    origin,
    command,
    async start() {
      server = launch('start');
      await Promise.race([api.untilReady(), server.early]);
      await api.login(owner.email, owner.password);
    },
    async startWorker() {
      const worker = launch('worker', { N8N_RUNNERS_BROKER_PORT: String(await freePort()) });
      workers.push(worker);
      const isReady = () => worker.log().includes('n8n worker is now ready');
      await Promise.race([until(isReady, 'the worker is ready'), worker.early]);
      return worker.log;
    },
    async stopServer(signal = 'SIGTERM') {
      if (server) await end(server, signal);
    },
    async stop() {
      await n8n.stopServer();
      await Promise.all(workers.map((worker) => end(worker, 'SIGTERM')));
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return n8n;
}

/** A process of n8n. */
interface Process {
  child: ChildProcess;
  ended: Promise<unknown>;
  /** Rejects, with the log, when it ends. */
  early: Promise<never>;
  log: () => string;
}

async function end({ child, ended }: Process, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await ended;
}

function environment(home: string, port: number, brokerPort: number): NodeJS.ProcessEnv {
  // Set by Jest or by a developer, each of them changes n8n's behaviour.
  const left = new Set(['NODE_ENV', 'NODE_OPTIONS', 'N8N_CUSTOM_EXTENSIONS']);
  const own = Object.fromEntries(
    Object.entries(withThisNode()).filter(([name]) => !left.has(name)),
  );
  return {
    ...own,
    HOME: home,
    N8N_USER_FOLDER: home,
    NO_COLOR: '1',
    N8N_LOG_LEVEL: 'info',
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_ENCRYPTION_KEY: 'key-of-the-test-instance-only',
    N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
    N8N_INSTANCE_OWNER_EMAIL: owner.email,
    N8N_INSTANCE_OWNER_FIRST_NAME: 'Test',
    N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
    N8N_INSTANCE_OWNER_PASSWORD_HASH: owner.hash,
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_DYNAMIC_BANNERS_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
    N8N_DISABLED_MODULES:
      'mcp-registry,insights,instance-reporting,mcp,instance-ai,agents,chat-hub',
  };
}
