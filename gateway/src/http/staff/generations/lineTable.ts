import type { GenerationLine, LineOwner } from '../../../application/ports/staffQueries.ts';
import { formatDuration, formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { accountLink, badge, choiceBox, generationLink, table } from '../elements.ts';

/** The short name of a key as its owner sees it; null for the site. */
export function keyName(line: GenerationLine, owner: LineOwner | undefined): string | null {
  if (line.keyId === null) return null;
  const key = owner?.keys.find(({ id }) => id === line.keyId);
  return key ? `${key.name} …${key.lastFour}` : line.keyId;
}

type Owners = ReadonlyMap<string, LineOwner>;
type Column = readonly [name: string, cell: (line: GenerationLine, owners: Owners) => Cell];
type Cell = Html | string | number | null;

const duration = (ms: number) => formatDuration(ms).replaceAll(' ', '\u00a0');

/** A code that a narrow column breaks only between words. */
const brokenAtWords = (code: string) =>
  html`${code.split('_').map((word, index) => html`${index > 0 && html`_<wbr />`}${word}`)}`;

const allColumns: readonly Column[] = [
  ['Generation', ({ id }) => generationLink(id)],
  ['Status', ({ status }) => badge(status)],
  ['Failure', ({ failure }) => failure && brokenAtWords(failure.code)],
  ['Model', ({ model }) => model],
  ['Provider', ({ provider }) => provider],
  ['Credits', ({ costCredits }) => formatNumber(costCredits)],
  ['Refunded', (line) => (line.status === 'failed' ? formatNumber(line.refundedCredits) : null)],
  ['Key or site', (line, owners) => keyName(line, owners.get(line.accountId)) ?? 'site'],
  ['Created (UTC)', ({ createdAt }) => timestamp(createdAt)],
  ['Ended (UTC)', ({ endedAt }) => timestamp(endedAt)],
  [
    'Duration',
    ({ createdAt, endedAt }) => (endedAt === null ? null : duration(endedAt - createdAt)),
  ],
];
const customer: Column = [
  'Customer',
  ({ accountId }, owners) => accountLink(accountId, owners.get(accountId)?.email),
];

/** A table of generations of one account. @param none Sentence for an empty table. */
export function ownLines(lines: readonly GenerationLine[], owners: Owners, none: string): Html {
  return tableOf(allColumns, lines, owners, none);
}

const choice = (isChosen: boolean): Column => [
  '',
  ({ id }) => choiceBox('generation', id, id, isChosen),
];

/**
 * A table of generations of several accounts.
 * @param options.none Sentence for an empty table.
 * @param options.canChoose Whether each has a box of a form around the table.
 * @param options.isChosen Whether the boxes are ticked.
 */
export function linesTable(
  lines: readonly GenerationLine[],
  owners: Owners,
  {
    none,
    canChoose = false,
    isChosen = false,
  }: { none: string; canChoose?: boolean; isChosen?: boolean },
): Html {
  const [generation, ...others] = allColumns as [Column, ...Column[]];
  const columns = [...(canChoose ? [choice(isChosen)] : []), generation, customer, ...others];
  return tableOf(columns, lines, owners, none);
}

function tableOf(
  columns: readonly Column[],
  lines: readonly GenerationLine[],
  owners: Owners,
  none: string,
): Html {
  const names = columns.map(([name]) => name);
  const rows = lines.map((line) => columns.map(([, cell]) => cell(line, owners)));
  return table(names, rows, none);
}
