import { readFile } from 'node:fs/promises';
import { extname, join, parse } from 'node:path';
import type { CompletedGeneration } from '../../client.ts';
import type { Framegate } from '../../node/index.ts';
import { type Arguments, numberOf, oneOf } from '../arguments.ts';
import { CommandError, type Io, numberPath, type ResultPrinter } from '../io.ts';
import { showBatch } from '../progress.ts';
import { isEnded, runBatch } from './batch.ts';
import { type Order, planOf } from './plan.ts';
import { type BatchState, openState } from './state.ts';

/**
 * `framegate batch`: makes each row of a table and downloads the files. Its progress is in a file next to the table, so
 * that the same command can continue after any interruption.
 */
export async function runBatchFile(
  args: Arguments,
  io: Io,
  say: ResultPrinter,
  framegate: Framegate,
): Promise<void> {
  const { signal } = io;
  const table = oneOf(args, 'table');
  const text = await readFile(table, 'utf8').catch((error: unknown) => {
    throw new CommandError(2, `Nothing was sent: ${(error as Error).message}`);
  });
  const orders = planOf(text, args, await framegate.models.list({ signal }));
  const state = await openState(`${table}.state.json`);
  if (args.values['retry-failed'] === true) await forgetFailures(state, orders);
  await confirmCost(args, io, say, framegate, { orders, state });
  const seconds = numberOf(args, 'timeout');
  const digits = String(Math.max(...orders.map(({ line }) => line))).length;
  const name = join(args.values.output ?? '.', parse(table).name);
  const endedRows = orders.filter(({ hash }) => isEnded(state, hash)).length;
  const progress = showBatch(io.stderr, { done: endedRows, all: orders.length });
  try {
    await runBatch({
      framegate,
      state,
      orders,
      signal,
      timeoutMs: seconds === undefined ? undefined : seconds * 1000,
      download: ({ line }, generation) =>
        downloadAll(`${name}-${String(line).padStart(digits, '0')}`, generation, signal),
      onEnded({ line }, { id, files = [], error }) {
        const result = error === undefined ? files.join(' ') : `failed: ${error}`;
        const print = () =>
          say({ event: 'row', line, id, files, error }, `line ${line}: ${result}`);
        progress.recordEnded(print);
      },
    });
  } finally {
    progress.end();
  }
  say({ event: 'batch', rows: orders.length }, `${orders.length} rows are finished`);
}

async function forgetFailures(state: BatchState, orders: readonly Order[]): Promise<void> {
  for (const { hash } of orders) {
    const row = state.row(hash);
    if (row?.status !== 'failed') continue;
    await state.record(hash, { attempt: row.attempt + 1, status: 'ordered' });
  }
}

/** Shows the cost of the new rows and asks for confirmation. @throws CommandError if it is too high or declined. */
async function confirmCost(
  args: Arguments,
  io: Io,
  say: ResultPrinter,
  framegate: Framegate,
  { orders, state }: { orders: readonly Order[]; state: BatchState },
): Promise<void> {
  const isOrdered = ({ hash }: Order) => isEnded(state, hash) || state.row(hash)?.id !== undefined;
  const fresh = orders.filter((order) => !isOrdered(order));
  const credits = fresh.reduce((sum, order) => sum + order.credits, 0);
  const { available } = await framegate.credits.balance({ signal: io.signal });
  const cost = `${fresh.length} of ${orders.length} rows are new and cost ${credits} credits; ${available} are available.`;
  const batchError = (exitCode: number, why: string) =>
    new CommandError(exitCode, `Nothing was sent. ${cost} ${why}`);
  const max = numberOf(args, 'max-credits') ?? Infinity;
  if (credits > max) throw batchError(4, `That is more than --max-credits (${max}).`);
  if (credits > available) throw batchError(4, 'You do not have enough credits.');
  const isFree = credits === 0 || args.values.yes === true;
  const summary = { rows: orders.length, new_rows: fresh.length, credits, available };
  say({ event: 'estimate', ...summary }, isFree ? cost : '');
  if (isFree) return;
  const response = await io.ask(`${cost} Create them? [y/N] `, { isSecret: false });
  if (!/^\s*y(es)?\s*$/i.test(response)) throw batchError(2, 'Answer y, or pass --yes.');
}

/** Downloads all files under a common name prefix; returns their paths. */
async function downloadAll(
  name: string,
  generation: CompletedGeneration,
  signal: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for (const [index, url] of generation.output.urls.entries()) {
    const file = numberPath(name, index, extname(new URL(url).pathname));
    await generation.download(file, { index, signal });
    files.push(file);
  }
  return files;
}
