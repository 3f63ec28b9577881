import { sum } from '@framegate/contract';
import { formatCounts, head, row as line } from '../figures.ts';
import type { BystanderService } from './bystander.ts';
import { limited, problemOf, type Row } from './rows.ts';

/** A row that was played. Processor times in ms beyond those of the control, in which the bystander does the same. */
export interface PlayedRow {
  row: Row;
  statuses: Record<string, number>;
  /** Reason, if it could not be played. */
  failed?: string;
  before: BystanderService;
  during: BystanderService;
  gatewayMs: number;
  mongodMs: number;
  /** Length of the attack, in seconds. */
  seconds: number;
}

/** Factor by which a bystander may be slower during an attack. */
export const timesBefore = 3;

/** How many times slower the bystander's slowest reads and create requests were. */
export function ratioOf({ before, during }: Pick<PlayedRow, 'before' | 'during'>): number {
  const parts = (['read', 'create', 'upload'] as const).flatMap((part) => {
    const [first, second] = [before[part], during[part]];
    return first && second ? [second.p99 / first.p99] : [];
  });
  return Math.max(...parts);
}

/** Whether all requests of the bystander succeeded. */
function isServed({ read, create, result, upload }: BystanderService): boolean {
  const statusOf = (part: BystanderService['read'] | undefined) =>
    Object.keys(part?.statuses ?? {}).join();
  const isUploaded = !upload || statusOf(upload) === '200';
  return (
    statusOf(read) === '200' && statusOf(create) === '202' && isUploaded && result.failed === 0
  );
}

/** The problems that a row shows; empty if the limit is kept and its responses are lawful. */
export function findingsOf(played: PlayedRow): string[] {
  const { row, failed, statuses, before, during } = played;
  return [
    failed ?? problemOf(row, statuses),
    ratioOf(played) > timesBefore ? 'slow' : null,
    isServed(before) && isServed(during) ? null : 'bystander refused',
  ].filter((each) => each !== null);
}

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
const pair = ({ p50, p99 }: BystanderService['read']) => `${ms(p50)}, ${ms(p99)}`;

/** Fulfilled requests; limits cost almost nothing. */
const doneOf = ({ statuses }: PlayedRow) =>
  sum(
    Object.entries(statuses)
      .filter(([status]) => !limited.some((each) => String(each) === status))
      .map(([, count]) => count),
  );

/** The processor time of one fulfilled request, in ms, of gateway and mongod together. */
export const costOf = (played: PlayedRow): number =>
  (played.gatewayMs + played.mongodMs) / Math.max(1, doneOf(played));

const columns = [
  'route, caller, input',
  'responses',
  'read before p50, p99',
  'during',
  'create before',
  'during',
  'times',
  'gateway ms/s',
  'mongod ms/s',
  'ms a request',
  'wrong',
];

/** One played row as a line of the table. */
export const lineOf = (played: PlayedRow): string =>
  line([
    played.row.name,
    formatCounts(played.statuses),
    pair(played.before.read),
    pair(played.during.read),
    pair(played.before.create),
    pair(played.during.create),
    ratioOf(played).toFixed(1),
    ms(played.gatewayMs / played.seconds),
    ms(played.mongodMs / played.seconds),
    ms(costOf(played)),
    findingsOf(played).join(', '),
  ]);

/** The table, the worst first. */
export const tableOf = (all: readonly PlayedRow[]): string =>
  [head(columns), ...all.toSorted((a, b) => ratioOf(b) - ratioOf(a)).map(lineOf)].join('\n');
