/** Prints a line. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A row of a Markdown table. */
export const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The first two lines of a Markdown table. */
export const head = (names: readonly string[]): string =>
  `${row(names)}\n${row(names.map(() => '---'))}`;

/** Counts by name, such as `202: 31, 503: 2`. */
export const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ');

/** A human-readable duration. @param digits Decimal places. */
export const seconds = (ms: number, digits = 1): string => `${(ms / 1_000).toFixed(digits)} s`;

/** The time since a reading of `performance.now()`, for people. */
export const since = (startedAt: number): string => seconds(performance.now() - startedAt);

/** Prefixes notes with the seconds since this call. */
export function withSeconds(note: (line: string) => void): (line: string) => void {
  const startedAt = performance.now();
  return (line) => note(`${seconds(performance.now() - startedAt, 0).padStart(7)}  ${line}`);
}
