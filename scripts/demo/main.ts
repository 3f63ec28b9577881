/**
 * `npm run demo`: a trial gateway, the sample product of docs/examples/pc-product and a stand-in for its payment
 * provider, on the embedded database, until Ctrl-C. PORT, OPERATOR_PORT, SHOP_PORT and PAYMENTS_PORT set their ports.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, minuteMs } from '@framegate/contract';
import { createLog } from '../../gateway/src/adapters/system/log.ts';
import { openDatabase } from '../../gateway/src/compose/openDatabase.ts';
import { loadConfig } from '../../gateway/src/config.ts';

const root = join(import.meta.dirname, '../..');
const product = join(root, 'docs/examples/pc-product');
const { OPERATOR_PORT = '8081', SHOP_PORT = '3000', PAYMENTS_PORT = '4000' } = process.env;
const shopUrl = `http://127.0.0.1:${SHOP_PORT}`;
const paymentsUrl = `http://127.0.0.1:${PAYMENTS_PORT}`;
/** A trial whatever .env says, so that it never reaches paid providers or a real database. */
const trial = { MODE: 'development', ROLE: 'all', MONGODB_URI: '', ROUTES_FILE: '', OPERATOR_PORT };
/** Requests are not logged, so that the URLs stay in sight. */
const env = { LOG_LEVEL: 'warn', ...process.env, ...trial };
/** The first download of the database may take minutes. */
const startMs = 20 * minuteMs;
const stopMs = minuteMs;
const secret = () => randomBytes(32).toString('hex');

const stop = new AbortController();
const stopReason = new Error('stopped by a signal');
const children: ChildProcess[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(stopReason));
}

/** Starts a program in a process group of its own: the terminal's Ctrl-C reaches this process only. */
function start(
  args: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
): ChildProcess {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const child = spawn(process.execPath, args, {
    cwd: root,
    ...options,
    stdio: [...stdio],
    detached: true,
  });
  children.push(child);
  child.once('exit', () => stop.abort(new Error('One of the programs has ended; see above.')));
  return child;
}

async function waitUntilItAnswers(url: string): Promise<void> {
  const limit = AbortSignal.timeout(startMs);
  const signal = AbortSignal.any([stop.signal, limit]);
  for (;;) {
    signal.throwIfAborted();
    const response = await fetch(url, { redirect: 'manual', signal }).catch(() => null);
    await response?.arrayBuffer().catch(() => undefined);
    if (response && response.status < 400) return;
    await pause(100, undefined, { signal }).catch(() => undefined);
  }
}

async function requireFree(name: string, port: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(Number(port), '127.0.0.1'), 'listening');
  } catch (error) {
    throw new Error(`Port ${port} on 127.0.0.1 is in use: set ${name} to a free port.`, {
      cause: error,
    });
  }
  await once(server.close(), 'close');
}

/** The shop's key at the gateway, kept in DATA_DIR next to the trial's other secrets. */
async function createShopKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'shop-key');
  const storedKey = await readFile(file, 'utf8').catch(() => '');
  if (storedKey !== '') return storedKey.trim();
  const scopes = ['accounts', 'credits', 'generations'].flatMap((subject) => [
    `${subject}:read`,
    `${subject}:write`,
  ]);
  const scopeOptions = [...scopes, 'events:read', 'sign-in-links:write'].flatMap((scope) => [
    '--scope',
    scope,
  ]);
  const command = [
    'gateway/src/admin.ts',
    'operator-key',
    'create',
    '--name',
    'shop',
    ...scopeOptions,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  const { operator_key: key } = JSON.parse(stdout || '{}') as { operator_key?: string };
  if (key === undefined) throw new Error(`The shop got no key: ${stderr}`);
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await exit;
  clearTimeout(late);
}

/** Runs everything until the stop. */
async function run(): Promise<void> {
  for (const [name, port] of Object.entries({ OPERATOR_PORT, SHOP_PORT, PAYMENTS_PORT })) {
    await requireFree(name, port);
  }
  const config = loadConfig(env);
  start(['--import', './gateway/compileCache.js', 'gateway/start.js'], { env });
  const gateway = `http://127.0.0.1:${config.http.port}`;
  await waitUntilItAnswers(`${gateway}/readyz`);
  const log = createLog('error', 2, null);
  // Keeps the database while the gateway and the shop run.
  const database = await openDatabase(config, { log, isReadOnly: true, poolSize: 1 });
  try {
    const uri = new URL(database.uri);
    uri.pathname = '/shop';
    const settings = {
      PATH: process.env['PATH'],
      MONGODB_URI: uri.href,
      SHOP_URL: shopUrl,
      SHOP_SECRET: secret(),
      PAYMENTS_URL: paymentsUrl,
      PAYMENTS_KEY: secret(),
      PAYMENTS_SECRET: secret(),
      FRAMEGATE_OPERATOR_URL: `http://127.0.0.1:${OPERATOR_PORT}/operator/v1`,
      FRAMEGATE_OPERATOR_KEY: await createShopKey(config.dataDir),
    };
    start(['src/standInPayments.ts'], { cwd: product, env: settings });
    const client = join(import.meta.dirname, 'clientFromSource.ts');
    start(['--import', client, 'src/main.ts'], { cwd: product, env: settings });
    await Promise.all([
      waitUntilItAnswers(`${paymentsUrl}/`),
      waitUntilItAnswers(`${shopUrl}/sign-in`),
    ]);
    process.stdout.write(`
The demo is running:

  Shop      ${shopUrl}  Sign in with any address; the mail's link is printed here.
  Payments  ${paymentsUrl}  Pay, refund, dispute, and send events three times.
  Gateway   ${config.urls.account}  The customer's own site; the operator API is on port ${OPERATOR_PORT}.
  Staff     ${config.urls.console}/staff  Enrol by the link above.

Stop with Ctrl-C.
`);
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
  } finally {
    for (const child of children.toReversed()) await end(child);
    await database.close();
  }
}

try {
  await run();
} catch (error) {
  stop.abort(error);
}
for (const child of children.toReversed()) await end(child);
const { reason } = stop.signal as { reason: unknown };
if (reason !== stopReason) process.stderr.write(`${messageOf(reason)}\n`);
process.exit(reason === stopReason ? 0 : 1);
