import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readText } from '../deploy/support/deployFiles.ts';
import { freePort } from '../support/freePort.ts';
import { projectRoot } from '../support/runNode.ts';
import { mustRun } from '../support/runProgram.ts';
import { until } from '../support/until.ts';

/* The commands of docs/operator-api.md, in their order and as they are, in the shell of a reader. */

let folder: string;
let env: Record<string, string>;
let operatorPort: string;
let gateway: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-operator-page-'));
  operatorPort = String(await freePort());
  env = { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()), LOG_LEVEL: 'warn' };
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

interface Step {
  command: string;
  /** The answer as the page shows it, if it does. */
  answer: unknown;
}

/** The page's shell commands, each with the answer below it. */
function stepsOf(page: string): Step[] {
  const blocks = page.matchAll(/^( *)```sh\n(.*?)^ *```\n(?:\n *```json\n(.*?)^ *```\n)?/gms);
  return [...blocks].map(([, indent = '', command = '', answer]) => ({
    command: command.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    answer: answer === undefined ? null : JSON.parse(answer),
  }));
}

/** Ids and secrets that the page abbreviates, such as `acct_…`, by what stands before the dots. */
const placeholder = /\b(\w+_)…/g;

const filled = (command: string, known: ReadonlyMap<string, string>) =>
  command.replaceAll(placeholder, (whole, start: string) => {
    const value = known.get(start);
    if (value === undefined) throw new Error(`no answer had ${whole}`);
    return value;
  });

/** Notes the values behind placeholders, and returns what the answer must be like. */
function likeOnPage(shown: unknown, real: unknown, known: Map<string, string>): object {
  const fields = Object.entries(shown as object).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'string' || !value.endsWith('…')) return [name, value] as const;
    const start = value.slice(0, -1);
    const found = (real as Record<string, unknown>)[name];
    if (start !== '' && typeof found === 'string') known.set(start, found);
    return [name, expect.stringMatching(new RegExp(`^${start}.`))] as const;
  });
  return Object.fromEntries(fields);
}

function startInBackground(command: string): Promise<void> {
  const child = spawn('sh', ['-c', command], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  gateway = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const isOver = () => child.exitCode !== null;
  return until(() => isOver() || output.includes('Stop with Ctrl-C.'), 'the gateway runs').then(
    () => {
      if (isOver()) throw new Error(`it has ended: ${output}`);
    },
  );
}

test('each command of the page answers as the page says, from the first to the last', async () => {
  const known = new Map<string, string>();
  const exported: string[] = [];
  const steps = stepsOf(readText('docs/operator-api.md'));
  for (const { command: written, answer } of steps) {
    const command = filled(written.replaceAll('8081', operatorPort), known);
    if (command.endsWith('npm start\n')) {
      await startInBackground(command);
      continue;
    }
    // The terminal is one: what a step exports is there in the next.
    const script = [...exported, command].join('\n');
    exported.push(...command.split('\n').filter((line) => line.startsWith('export ')));
    const output = await mustRun('sh', ['-euc', script], { cwd: projectRoot, env });
    const real: unknown = JSON.parse(output);
    expect([written, real]).toEqual([
      written,
      answer === null
        ? expect.anything()
        : expect.objectContaining(likeOnPage(answer, real, known)),
    ]);
  }
  expect(steps.length).toBeGreaterThan(6);
  expect(steps.filter(({ answer }) => answer === null)).toHaveLength(1);
  // A start of the gateway and a command, each in a process of its own.
}, 240_000);
