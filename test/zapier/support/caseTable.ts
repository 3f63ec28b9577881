import type { Ran } from './zap.ts';

/** What a case came to. */
export interface Case {
  name: string;
  runs: readonly Ran[];
  posts: number;
  keys: number;
  generations: number;
  charges: number;
  creditsSpent: number;
}

/** Collects cases, and prints them as one table. */
export interface CaseTable {
  add(row: Case): void;
  print(): void;
}

/** Seconds in order; of many, how many and from which to which. */
function seconds(delays: readonly number[]): string {
  if (delays.length <= 6) return delays.join(' ') || '-';
  return `${delays.length} of ${Math.min(...delays)} to ${Math.max(...delays)}`;
}

export function caseTable(): CaseTable {
  const rows: Case[] = [];
  return {
    add: (row) => rows.push(row),
    print() {
      const lines = rows.map(({ name, runs, ...counted }) => {
        const attempts = runs.map((run) => run.attempts).join(' + ');
        const delays = runs.map((run) => seconds(run.delays)).join(' + ');
        const { posts, keys, generations, charges, creditsSpent } = counted;
        return [name, attempts, delays, posts, keys, generations, charges, creditsSpent].join(
          ' | ',
        );
      });
      const head =
        'case | attempts | delays, s | POSTs | keys | generations | charges | credits spent';
      process.stdout.write(`${[head, head.replaceAll(/[^|]+/g, ' --- '), ...lines].join('\n')}\n`);
    },
  };
}
