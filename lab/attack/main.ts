import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { minuteMs } from '@framegate/contract';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { untilAllEnded } from '../../test/faults/checkWorld.ts';
import { openFaultWorld } from '../../test/faults/faultWorld.ts';
import { freePort } from '../../test/support/freePort.ts';
import { startTestMongod } from '../../test/support/mongod.ts';
import { readCounters } from '../bench/costs.ts';
import { say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import type { AttackCommand, AttackReport } from './attackProcess.ts';
import { type Uploads, watchBystander } from './bystander.ts';
import { costliestRequests } from './costliest/index.ts';
import { fill } from './history.ts';
import type { HostileFilesHost } from './hostileFilesProcess.ts';
import { findingsOf, lineOf, type PlayedRow, tableOf } from './report.ts';
import { allRoutes } from './routes.ts';
import { problemOf, type Row, rowsOf } from './rows.ts';
import { seedSettings, signIn } from './secrets.ts';
import { seed } from './seed.ts';
import type { Target } from './target.ts';

/**
 * `npm run attack -- [--rows WORDS] [--seconds N] [--quick] [--check]`: attacks an api and a worker process by every
 * route, as each caller that the route admits and with its costliest input, and prints a bystander's experience before
 * and during each attack as a Markdown table. Bystander, database and gateway share this machine with the attacker,
 * which has the lowest priority. `--rows` chooses rows by parts of their names, separated by commas. `--check` only
 * sends a request of each row and checks the response.
 */
const { values } = parseOptions({ rows: '', seconds: 5, quick: false, check: false, accounts: 12 });
const forMs = (values.quick ? 1 : values.seconds) * 1000;

/** Rows of a quick run that share a control. */
const quickShared = 20;

/** Accounts whose passwords are guessed, and which send nothing else. */
const guessedAccounts = 2;

/** Longest wait for the attacker's orders, in ms; orders held back by its account's limits are ignored. */
const drainedWithinMs = values.quick ? 2_000 : 10_000;

const named = rowsOf(allRoutes(), costliestRequests).filter(({ name }) =>
  values.rows.split(',').some((words) => name.includes(words)),
);
const rows = values.quick ? named.filter(isFirstOfRoute) : named;
const [port, operatorPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
const mongod = await startTestMongod();
const storage = fork(join(import.meta.dirname, 'hostileFilesProcess.ts'));
const { env, files } = (await readNextMessage(storage)) as HostileFilesHost;
const attacker = fork(join(import.meta.dirname, 'attackProcess.ts'));
await readNextMessage(attacker);
// The attacker reads files from the API process itself, which recognises them by the host in their URL.
const mediaUrl = `http://127.0.0.1:${port}/media`;
const world = await openFaultWorld({
  uri: mongod.uri,
  env: { ...env, ...seedSettings, MEDIA_URL: mediaUrl },
});
try {
  const completedId = await fill(world, Math.max(4 + guessedAccounts, values.accounts));
  const api = await world.start({
    ROLE: 'api',
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    METRICS_PORT: String(metricsPort),
  });
  await world.start({ ROLE: 'worker' });
  const origins = {
    gateway: api.origin,
    operator: `http://127.0.0.1:${operatorPort}`,
    metrics: `http://127.0.0.1:${metricsPort}`,
  };
  const bystander = await world.addAccount(10_000_000);
  const uploader = await world.addAccount(1_000_000);
  const { people, ground } = await seed(world, origins, files, completedId);
  const uploads = {
    cookie: await signIn(world, uploader.accountId),
    picture: ground.smallPicture,
  };

  /** Watches the bystander. @returns Its service, and the processor times of that period, in ms. */
  const watch = async (watchedUploads: Uploads | null) => {
    const first = await readCounters(world.mongo.client, api.pid);
    const seen = await watchBystander(world, api.origin, bystander, forMs, watchedUploads);
    const last = await readCounters(world.mongo.client, api.pid);
    return {
      seen,
      gateway: last.serverMs - first.serverMs,
      mongod: last.mongodMs - first.mongodMs,
    };
  };

  /** Data of a row's attackers. @param index Its place, which chooses accounts whose allowances are full again. */
  const targetOf = ({ guesses }: Row, index: number): Target => {
    const among = guesses ? people.slice(0, guessedAccounts) : people.slice(guessedAccounts);
    const at = (place: number) => among[(index + place) % among.length];
    const [first, ...others] = [at(0), at(1), at(2), at(3)].filter((each) => each !== undefined);
    if (!first) throw new Error('there are no accounts');
    return { ...ground, people: [first, ...others], localAddress: `127.0.0.${2 + (index % 250)}` };
  };
  const send = async (command: AttackCommand): Promise<AttackReport> => {
    attacker.send(command);
    return (await readNextMessage(attacker)) as AttackReport;
  };

  /** Plays a row once. @param index Its place. */
  const play = async (row: Row, before: Awaited<ReturnType<typeof watch>>, index: number) => {
    const [during, report] = await Promise.all([
      watch(row.watchesUploads ? uploads : null),
      send({ name: row.name, target: targetOf(row, index), forMs }),
    ]);
    const played: PlayedRow = {
      row,
      ...('failed' in report ? { statuses: {}, failed: report.failed } : report),
      before: before.seen,
      during: during.seen,
      gatewayMs: during.gateway - before.gateway,
      mongodMs: during.mongod - before.mongod,
      seconds: forMs / 1000,
    };
    await untilAllEnded(world, drainedWithinMs).catch(() => undefined);
    return played;
  };

  /** Sends a request of each row. @returns The names of those that are answered wrongly. */
  const check = async (): Promise<string[]> => {
    const wrong: string[] = [];
    for (const [index, row] of rows.entries()) {
      // Rows with their own attack need some time to send anything.
      const checkMs = row.play ? 500 : 1;
      const target = targetOf(row, index);
      const command = { name: row.name, target, forMs: checkMs, connections: 1 };
      const report = await send(command);
      const problem = 'failed' in report ? report.failed : problemOf(row, report.statuses);
      if (problem === null) continue;
      wrong.push(row.name);
      say(`${row.name}: ${problem}: ${JSON.stringify(report)}`);
    }
    return wrong;
  };

  /** Plays each row next to the bystander, and prints the table. @returns The names of those that are wrong. */
  const runAttack = async (): Promise<string[]> => {
    const all: PlayedRow[] = [];
    // The first one is a warm-up.
    let [control, controlOf] = [await watch(null), ''];
    for (const [index, row] of rows.entries()) {
      const measure = () => watch(row.watchesUploads ? uploads : null);
      const shared = values.quick ? Math.trunc(index / quickShared) : row.route;
      const controlKey = `${shared} ${String(row.watchesUploads)}`;
      if (controlOf !== controlKey) [control, controlOf] = [await measure(), controlKey];
      let played = await play(row, control, index);
      // Repeated with its own control: two consecutive failures are not due to the machine.
      if (!values.quick && findingsOf(played).length > 0) {
        played = await play(row, await measure(), index + 1);
      }
      all.push(played);
      say(lineOf(played));
    }
    say(`\n${tableOf(all)}`);
    return all.filter((played) => findingsOf(played).length > 0).map(({ row }) => row.name);
  };

  const wrong = await (values.check ? check() : runAttack());
  await untilAllEnded(world, minuteMs).catch(() => undefined);
  const { problems } = await verifyLedger({ ledgerAudit: world.ledgerAudit });
  say(
    `\n${rows.length} rows, ${wrong.length} of them wrong; the ledger has ${problems.length} problems`,
  );
  for (const problem of problems.slice(0, 20)) say(JSON.stringify(problem));
  if (wrong.length + problems.length > 0) process.exitCode = 1;
} finally {
  attacker.disconnect();
  await world.close();
  storage.disconnect();
  await mongod.stop();
}

function isFirstOfRoute({ route }: Row, index: number, among: readonly Row[]): boolean {
  return among.findIndex((each) => each.route === route) === index;
}

/** The next message of a process. @throws Error if it exits instead. */
async function readNextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(([code]: unknown[]) => {
    throw new Error(`a process of the attack ended with ${String(code)}`);
  });
  const message = once(child, 'message', { signal }).then(([first]: unknown[]) => first);
  try {
    return await Promise.race([message, ended]);
  } finally {
    over.abort();
  }
}
