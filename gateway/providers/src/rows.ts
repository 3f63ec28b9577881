import { editsBetween } from '@framegate/contract';
import type { CostJson } from './routeCost.ts';
import { literalPattern, type Does } from './routeSupport.ts';
import { rowsFileSchema } from './rowSchema.ts';
import type { Send } from './send.ts';
import { problemsOf } from './shape.ts';
import sharedSizes from './rows/sizes.json' with { type: 'json' };

/** Sizes as `<width>x<height>`, by our resolution and aspect ratio. */
export type SizeTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Some models of a provider, as its documents describe them. */
export interface Row {
  type: 'video' | 'image';
  /** Whole model ids of the provider; `*` stands for any text. */
  match: readonly string[];
  /** Abilities of the models; those that are not stated are missing. */
  does: Does;
  /** How an order passes on the promised parameters. */
  send: Send;
  /** The source document. */
  source: string;
  /** The day of reading the document, as YYYY-MM-DD. */
  readOn: string;
  /** The sizes that they deliver, where they are not our own or the document lists them. */
  sizes?: SizeTable;
  /** Both sides of an image ordered in pixels are multiples of this. */
  step?: number;
  /** Whether a video keeps the ratio of its first frame, whatever ratio is ordered. */
  keepsPictureRatio?: true;
  /** Set for models that the provider has shut down or announced to. */
  retired?: Retirement;
  /** The provider's published price. */
  listPrice?: CostJson;
}

/** The shutdown of a model, and its replacement. */
export interface Retirement {
  /** YYYY-MM-DD. */
  on: string;
  /** A live model; null if the provider's package reaches none that is known. */
  replacement: string | null;
}

/** Error codes by which a provider documents that an order was not accepted, with any HTTP status. */
export interface NotAccepted {
  codes: readonly string[];
  source: string;
  /** YYYY-MM-DD. */
  readOn: string;
}

/** A free GET that shows whether a provider is reachable and accepts the key. */
export interface FreeProbe {
  /** With `{baseURL}` for that of the provider's entry. */
  url: string;
  /** The header with the key, with `{key}` in its value. */
  headers: Readonly<Record<string, string>>;
  /** The field of the answer with the account's credit. */
  balance?: string;
  source: string;
  /** YYYY-MM-DD. */
  readOn: string;
}

/** The rows of one provider; the first match of a model counts. */
export interface ProviderRows {
  rows: readonly Row[];
  notAccepted?: NotAccepted;
  probe?: FreeProbe;
  /** How a model without a row is sent, by type; absent where that differs from model to model. */
  send: Readonly<Partial<Record<'video' | 'image', Send>>>;
}

interface RowJson extends Omit<Row, 'send' | 'sizes'> {
  send?: string | Send;
  sizes?: string | SizeTable;
}

interface RowsJson {
  /** By name, for rows; `video` and `image` are for rows and models that name none. */
  send?: Record<string, Send>;
  notAccepted?: NotAccepted;
  probe?: FreeProbe;
  rows: RowJson[];
}

/**
 * Reads a file of rows.
 * @throws Error with every problem, each with its JSON path.
 */
export function parseRows(json: unknown): ProviderRows {
  const checked = rowsFileSchema.validate(json, { convert: false, abortEarly: false });
  if (checked.error) throw new Error(problemsOf(checked.error).join(' '));
  const { send = {}, notAccepted, probe, rows } = checked.value as RowsJson;
  const problems: string[] = [];
  const find = <T extends object>(
    names: Readonly<Record<string, T>>,
    given: string | T,
    at: string,
  ): T | Record<string, never> => {
    if (typeof given !== 'string') return given;
    const found = names[given];
    if (!found) problems.push(`${at} names "${given}", which is not there.`);
    return found ?? {};
  };
  const { video, image } = send;
  const parsed = rows.map(({ send: way, sizes, ...row }, i): Row => ({
    ...row,
    send: way === undefined ? (send[row.type] ?? {}) : find(send, way, `rows[${String(i)}].send`),
    ...(sizes !== undefined && {
      sizes: withPortraits(find<SizeTable>(sharedSizes, sizes, `rows[${String(i)}].sizes`)),
    }),
  }));
  if (problems.length > 0) throw new Error(problems.join(' '));
  return {
    rows: parsed,
    send: { ...(video && { video }), ...(image && { image }) },
    ...(notAccepted && { notAccepted }),
    ...(probe && { probe }),
  };
}

/** Finds a code of `notAccepted` in an error's text; undefined if the provider documents none. */
export function refusalIn({ notAccepted }: ProviderRows): RegExp | undefined {
  if (!notAccepted) return undefined;
  return new RegExp(`\\b(${notAccepted.codes.map(literalPattern).join('|')})\\b`);
}

/** A table in which the sizes of a ratio and of its reverse are each other's, turned. */
function withPortraits(landscape: SizeTable): SizeTable {
  const turned = (text: string, by: string) => text.split(by).toReversed().join(by);
  return Object.fromEntries(
    Object.entries(landscape).map(([resolution, sizes]) => [
      resolution,
      {
        ...Object.fromEntries(
          Object.entries(sizes).map(([ratio, size]) => [turned(ratio, ':'), turned(size, 'x')]),
        ),
        ...sizes,
      },
    ]),
  );
}

/** The row of a model, or undefined. */
export function rowOf(
  { rows }: Pick<ProviderRows, 'rows'>,
  type: Row['type'],
  model: string,
): Row | undefined {
  return rows.find((row) => row.type === type && row.match.some((each) => fits(each, model)));
}

/** Most slips of the pen in a model id. */
const maxSlips = 2;

/**
 * The pattern of another row that a model without a row, or with a general one, was probably meant to match; null if
 * none is near.
 */
export function meantPattern(
  models: Pick<ProviderRows, 'rows'>,
  type: Row['type'],
  model: string,
): string | null {
  const lettersOf = (pattern: string) => pattern.replaceAll('*', '').length;
  const found = rowOf(models, type, model)?.match.find((each) => fits(each, model)) ?? '';
  if (lettersOf(found) > model.length / 2) return null;
  const near = models.rows
    .filter((row) => row.type === type)
    .flatMap(({ match }) => match)
    .map((pattern) => ({ pattern, slips: editsBetween(pattern, model, '*') }))
    .filter(({ pattern, slips }) => slips <= maxSlips && lettersOf(pattern) > 2 * maxSlips);
  const [best] = near.toSorted((a, b) => a.slips - b.slips);
  return best && best.slips > 0 ? best.pattern : null;
}

function fits(pattern: string, model: string): boolean {
  const parts = pattern.split('*').map(literalPattern);
  return new RegExp(`^${parts.join('.*')}$`).test(model);
}
