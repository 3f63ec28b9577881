import { createHash } from 'node:crypto';
import type { CreateImage, CreateVideo, Model } from '../../generated/api.ts';
import { parameterOptions } from '../../generated/parameterOptions.ts';
import { price } from '../../price.ts';
import { type Arguments, imageOf, parseArguments, videoOf } from '../arguments.ts';
import { CommandError } from '../io.ts';
import { type CsvRow, parseCsv } from './csv.ts';

/** The order of one row. */
export type Order = { line: number; credits: number; hash: string } & (
  { kind: 'videos'; body: CreateVideo } | { kind: 'images'; body: CreateImage }
);

/** The options available per row. */
const columns: readonly string[] = [
  'model',
  ...Object.keys(parameterOptions),
  ...['first-frame', 'last-frame', 'image', 'video', 'audio', 'consent'],
];

/** The columns that accept true or false. */
const flags: readonly string[] = Object.entries(parameterOptions)
  .filter(([, { type }]) => type === 'boolean')
  .map(([name]) => name);

/**
 * The orders of a table. A column is named like an option without its dashes, or `prompt`; an empty cell uses the
 * command's option. Equal rows are separate orders.
 * @throws CommandError with all problems, by line.
 */
export function planOf(text: string, args: Arguments, models: readonly Model[]): Order[] {
  const problems: string[] = [];
  const orders: Order[] = [];
  const seen = new Map<string, number>();
  for (const row of rowsOf(text)) {
    try {
      const order = orderOf(row, args, models);
      const same = seen.get(order.hash) ?? 0;
      seen.set(order.hash, same + 1);
      orders.push({ ...order, hash: same === 0 ? order.hash : `${order.hash}-${same + 1}` });
    } catch (error) {
      problems.push(`Line ${row.line}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new CommandError(2, `Nothing was sent.\n${problems.join('\n')}`);
  if (orders.length === 0) throw new CommandError(2, 'The table has no rows after the header.');
  return orders;
}

function rowsOf(text: string): CsvRow[] {
  try {
    return parseCsv(text);
  } catch (error) {
    throw new CommandError(2, `Nothing was sent. ${(error as Error).message}`);
  }
}

function orderOf({ line, cells }: CsvRow, args: Arguments, models: readonly Model[]): Order {
  const { prompt = '', ...rest } = cells;
  if (prompt.trim() === '') throw new CommandError(2, 'The prompt is missing.');
  const own = parseArguments(['', ...Object.entries(rest).flatMap(optionOf)]).values;
  const id = own.model ?? args.values.model;
  if (id === undefined) {
    throw new CommandError(2, 'The model is missing: add the column model, or pass -m.');
  }
  const model = models.find((each) => each.id === id);
  if (!model) {
    throw new CommandError(2, `Your key cannot use the model ${id}. See: framegate models`);
  }
  const { type } = model;
  const row = { command: type, rest: [prompt], values: { ...args.values, ...own } };
  const body =
    type === 'video'
      ? { kind: 'videos' as const, body: videoOf(row) }
      : { kind: 'images' as const, body: imageOf(row) };
  const hash = createHash('sha256').update(JSON.stringify(body.body)).digest('hex').slice(0, 24);
  return { line, credits: price(model, body.body.parameters), hash, ...body };
}

/** Converts a cell to a command line option. */
function optionOf([column, cell]: [string, string]): string[] {
  const name = column.trim().toLowerCase().replaceAll('_', '-');
  if (!columns.includes(name)) {
    const all = `prompt, ${columns.join(', ')}`;
    throw new CommandError(2, `There is no column ${column}. Possible columns: ${all}.`);
  }
  const text = cell.trim();
  if (text === '') return [];
  if (!flags.includes(name)) return [`--${name}=${text}`];
  if (/^(true|yes|1)$/i.test(text)) return [`--${name}`];
  if (/^(false|no|0)$/i.test(text)) return [];
  throw new CommandError(2, `The column ${name} takes true or false, not "${text}".`);
}
