import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readText } from '../deploy/support/deployFiles.ts';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { shellBlocks } from '../docs/shellBlocks.ts';
import { freePort } from '../support/freePort.ts';
import { projectRoot } from '../support/runNode.ts';
import { runProgram } from '../support/runProgram.ts';
import { until } from '../support/until.ts';

/* The commands of pages, unchanged and in order, in a reader's shell next to one trial gateway. */

let folder: string;
let env: Record<string, string>;
/** Values that differ for this reader, as the pages write them. */
let elsewhere: Record<string, string>;
let gateway: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-pages-'));
  const [port, operatorPort] = [String(await freePort()), String(await freePort())];
  env = {
    DATA_DIR: join(folder, 'data'),
    PORT: port,
    LOG_LEVEL: 'warn',
    // For the pages on providers, whose commands call none.
    ROUTES_FILE: 'docs/providers/fal.json',
    FAL_API_KEY: 'your key',
  };
  elsewhere = {
    '8080': port,
    '8081': operatorPort,
    '.framegate/': `${folder}/data/`,
    'orders.csv': `${folder}/orders.csv`,
    'invoice.csv': `${folder}/invoice.csv`,
  };
  await writeFile(join(folder, 'invoice.csv'), 'Task ID,Amount,Currency\nx-1,0.30,USD\n');
});

afterAll(async () => {
  if (gateway?.pid !== undefined && gateway.exitCode === null) {
    // Not its exit: npm may end before the gateway.
    const close = once(gateway, 'close');
    process.kill(-gateway.pid, 'SIGINT');
    await close;
  }
  await rm(folder, { recursive: true, force: true });
});

const replaced = (text: string, values: Readonly<Record<string, string>>) =>
  Object.entries(values).reduce((now, [from, to]) => now.replaceAll(from, to), text);

/** Ids and secrets that pages abbreviate, such as `acct_…`, by the text before the dots. */
const placeholder = /\b(\w+_)…/g;

const filled = (command: string, known: ReadonlyMap<string, string>) =>
  command.replaceAll(placeholder, (whole, start: string) => {
    const value = known.get(start);
    if (value === undefined) throw new Error(`no response had ${whole}`);
    return value;
  });

/** Records ids and secrets of a response by the text before their random part. */
function note(real: unknown, known: Map<string, string>): void {
  if (real === null || typeof real !== 'object') return;
  for (const value of Object.values(real)) {
    const [, start = ''] = /^([a-z_]+_)\w{20,}$/.exec(String(value)) ?? [];
    if (start !== '') known.set(start, String(value));
  }
}

/** The form of the response shown on the page. The length of a poll's wait depends on the machine. */
function likeOnPage(shown: unknown, name = ''): unknown {
  if (name === 'retry_after_seconds') return expect.any(Number);
  if (typeof shown === 'string' && shown.endsWith('…')) {
    return expect.stringContaining(replaced(shown.slice(0, -1), elsewhere));
  }
  if (shown === null || typeof shown !== 'object') return shown;
  return expect.objectContaining(
    Object.fromEntries(
      Object.entries(shown).map(([field, each]) => [field, likeOnPage(each, field)]),
    ),
  );
}

async function startInBackground(command: string): Promise<void> {
  const child = spawn('sh', ['-c', command], {
    cwd: projectRoot,
    env: { ...process.env, ...env, ROUTES_FILE: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  gateway = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const isOver = () => child.exitCode !== null;
  await until(() => isOver() || output.includes('Stop with Ctrl-C.'), 'the gateway runs');
  if (isOver()) throw new Error(`it has ended: ${output}`);
}

/** Its exit status: the invoice has a line without an order, which is reported. */
const endOf = (command: string) => (command.includes(' costs reconcile ') ? 1 : 0);

const asJson = (output: string): unknown => {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
};

/** A page, and its names of objects made on another page. */
const pages: readonly (readonly [page: string, names: Readonly<Record<string, string>>])[] = [
  // It starts the gateway.
  ['docs/operator-api.md', {}],
  ['README.md', { 'ada@': 'grace@' }],
  ['docs/examples/pc-product/README.md', {}],
  ['docs/providers.md', {}],
  ['docs/providers/costs.md', {}],
  ['docs/operating/console.md', { '--email E': '--email admin@example.com' }],
  ['docs/operating/upgrading.md', {}],
  ['docs/deploy/backup.md', {}],
];

test.each(pages)(
  'each command of %s answers as the page says, from the first to the last',
  async (page, names) => {
    const played = new Set(commandsPlayedBy('test/start/pages.acceptance.ts', page));
    const known = new Map<string, string>();
    const exported: string[] = [];
    for (const { commands, response } of shellBlocks(readText(page))) {
      let real: unknown = null;
      for (const written of commands.filter((command) => played.has(command))) {
        const command = filled(replaced(written, { ...elsewhere, ...names }), known);
        if (command.endsWith('npm start')) {
          await startInBackground(command);
          continue;
        }
        // All steps share one terminal: variables set in a step exist in the next.
        if (/^(?:export )?[A-Z_]+=/.test(command)) {
          exported.push(command);
          continue;
        }
        const script = [...exported, command].join('\n');
        const { status, output } = await runProgram('sh', ['-euc', script], {
          cwd: projectRoot,
          env,
        });
        expect([status, output]).toEqual([endOf(command), expect.anything()]);
        real = asJson(output);
        note(real, known);
      }
      if (response !== null) expect([page, real]).toEqual([page, likeOnPage(response)]);
    }
  },
  // A start of the gateway, and each command in a separate process.
  240_000,
);
