import { head, row, seconds } from '../figures.ts';
import type { Customer, CustomerReport, Request } from './customerRecords.ts';
import type { Phase } from './playFaults.ts';

/** Experience of customers in each phase, as a Markdown table; a request belongs to the phase it was sent in. */
export function phaseTable(
  phases: readonly Phase[],
  { requests, customers }: CustomerReport,
): string {
  const rows = phases.map(({ what, from, to, did }) => {
    const within = (at: number | null) => at !== null && at >= from && at < to;
    return phaseRow(
      `${what} (${Math.round((to - from) / 1_000)} s)`,
      requests.filter(({ at }) => within(at)),
      customers.filter(({ acceptedAt }) => within(acceptedAt)),
      did,
    );
  });
  return [
    head([
      ...['phase', 'requests', 'told 429 or 503', 'errors', 'slowest create', 'read', 'download'],
      ...['orders completed', 'not', 'what it did'],
    ]),
    ...rows,
    phaseRow('all, to the last download', requests, customers, ''),
  ].join('\n');
}

function phaseRow(what: string, requests: Request[], customers: Customer[], did: string): string {
  const slowest = (kind: Request['what']) => {
    const tookMs = requests.filter((each) => each.what === kind).map((each) => each.tookMs);
    return tookMs.length === 0 ? '' : seconds(Math.max(...tookMs), 2);
  };
  const completed = customers.filter(({ end }) => end === 'completed').length;
  return row([
    what,
    requests.length,
    toldOf(requests),
    requests.filter(({ error }) => error !== null).length,
    slowest('create'),
    slowest('read'),
    slowest('download'),
    completed,
    customers.length - completed,
    did,
  ]);
}

/** Number of requests told to retry, by code. */
function toldOf(requests: readonly Request[]): string {
  const counts = new Map<string, number>();
  for (const { what, told: outcome } of requests) {
    if (outcome === null) continue;
    const words = `${what} ${outcome}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts.size === 0
    ? '0'
    : [...counts].map(([words, count]) => `${count} x ${words}`).join(', ');
}

/** Failed requests that were not announced, each in words with its phase and count. */
export function errorsOf(phases: readonly Phase[], requests: readonly Request[]): string[] {
  const counts = new Map<string, number>();
  for (const { what, at, error } of requests) {
    if (error === null) continue;
    const phase = phases.findLast(({ from }) => at >= from)?.what ?? 'before';
    const words = `${phase}: a ${what} ${error}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => `${words} (${count} times)`);
}
