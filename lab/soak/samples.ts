import { readdir } from 'node:fs/promises';
import type { MongoClient } from 'mongodb';
import { hourMs, sum } from '@framegate/contract';
import { head, row } from '../figures.ts';

/** Values of one moment, by name. */
export type Sample = Map<string, number>;

/** Collections that legitimately grow with the generations, and the one of replaced processes. */
const histories = new Set([
  ...['generations', 'ledger', 'references', 'keyUses', 'deliveries', 'providerTasks'],
  ...['operatorRequests', 'operatorEvents', 'staffAudit', 'processes'],
]);

const sampledMetrics = {
  process_resident_memory_bytes: { name: 'memory, MB', unit: 1e6 },
  nodejs_heap_size_used_bytes: { name: 'heap used, MB', unit: 1e6 },
  process_open_fds: { name: 'open files', unit: 1 },
  nodejs_active_handles_total: { name: 'handles', unit: 1 },
  nodejs_eventloop_lag_p99_seconds: { name: 'event-loop delay p99, ms', unit: 1e-3 },
};

/** Takes the figures of a process from its metrics. */
export async function sampleProcess(sample: Sample, role: string, port: number): Promise<void> {
  const signal = AbortSignal.timeout(4_000);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { signal })).text();
  for (const [metric, { name, unit }] of Object.entries(sampledMetrics)) {
    const value = new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1];
    if (value !== undefined) sample.set(`${role}: ${name}`, Number(value) / unit);
  }
}

/** Counts the documents of collections without a history, which should not grow. */
export async function sampleDatabase(sample: Sample, client: MongoClient): Promise<void> {
  const options = { nameOnly: true, maxTimeMS: 2_000 };
  for (const { name } of await client.db().listCollections({}, options).toArray()) {
    if (histories.has(name)) continue;
    sample.set(`documents: ${name}`, await client.db().collection(name).estimatedDocumentCount());
  }
}

/** Counts files other than results. */
export async function sampleFiles(sample: Sample, dataDir: string): Promise<void> {
  const files = await readdir(dataDir, { recursive: true }).catch(() => []);
  const others = files.filter((name) => !/(outputs|posters)/.test(name));
  sample.set('files in DATA_DIR that are no results', others.length);
}

/** The regression line through the samples of a value, by least squares. */
export function lineThrough(points: readonly (readonly [ms: number, value: number])[]) {
  const mean = (numbers: number[]) => sum(numbers) / Math.max(1, numbers.length);
  const [middle, level] = [mean(points.map(([at]) => at)), mean(points.map(([, each]) => each))];
  const over = mean(points.map(([at, each]) => (at - middle) * (each - level)));
  const spread = mean(points.map(([at]) => (at - middle) ** 2));
  const slope = spread === 0 ? 0 : over / spread;
  const left = mean(points.map(([at, each]) => (each - level - slope * (at - middle)) ** 2));
  const error = Math.sqrt(left / Math.max(1, spread) / Math.max(1, points.length - 2));
  return { level, perHour: slope * hourMs, errorPerHour: error * hourMs };
}

/** Smallest hourly rise that counts, as a share of the mean. */
const countedRise = 0.05;
/** Standard errors by which a rise must stand out from the noise. */
const certain = 3;

/** Whether a line rises by more than that share, beyond the noise. */
export const rises = ({ level, perHour, errorPerHour }: ReturnType<typeof lineThrough>): boolean =>
  perHour - certain * errorPerHour > countedRise * Math.max(1, level);

/** @returns A Markdown table of the changed counts, the unchanged ones, and the names of rising ones. */
export function lines(samples: readonly (readonly [ms: number, sample: Sample])[]) {
  const names = [...new Set(samples.flatMap(([, sample]) => [...sample.keys()]))];
  const rows: string[] = [head(['value', 'mean', 'first', 'last', 'rise per hour', '±', 'rises'])];
  const unchanged: string[] = [];
  const rising: string[] = [];
  for (const name of names) {
    const points = samples.flatMap(([at, sample]): [number, number][] => {
      const value = sample.get(name);
      return value === undefined ? [] : [[at, value]];
    });
    if (points.every(([, value]) => value === points[0]?.[1])) {
      unchanged.push(name);
      continue;
    }
    const line = lineThrough(points);
    if (rises(line)) rising.push(name);
    const numbers = [line.level, points[0]?.[1] ?? 0, points.at(-1)?.[1] ?? 0];
    const slope = [line.perHour, line.errorPerHour];
    const figures = [...numbers, ...slope].map((each) => each.toFixed(1));
    rows.push(row([name, ...figures, rises(line) ? 'YES' : 'no']));
  }
  return { table: rows.join('\n'), unchanged, rising };
}
