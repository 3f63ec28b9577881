import { editsBetween, literalPattern } from '@framegate/contract';
import { describeProblems } from './joiShapes.ts';
import type { ResultFlag } from './resultFlags.ts';
import type { RouteCost } from './routeCost.ts';
import type { Abilities } from './routeSupport.ts';
import sharedSizes from './rows/sizes.json' with { type: 'json' };
import { providerFileSchema } from './rowSchema.ts';
import type { SendRules } from './sendRules.ts';
import type { RuleCode } from './verdicts.ts';

/** Sizes as `<width>x<height>`, by our resolution and aspect ratio. */
export type SizeTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A statement of a document. */
interface Citation {
  source: string;
  /** The date on which the document was read, as YYYY-MM-DD. */
  readOn: string;
}

/** A provider's models as described by its documents. */
export interface Row extends Citation {
  type: 'video' | 'image';
  /** Whole model ids of the provider; `*` stands for any text. */
  match: readonly string[];
  /** Abilities of the models; unstated ones are missing. */
  does: Abilities;
  /** How an order passes on promised parameters. */
  send: SendRules;
  /** The delivered sizes, if they are not our own or the document lists them. */
  sizes?: SizeTable;
  /** Both sides of an image ordered in pixels are multiples of this. */
  step?: number;
  /** Whether a video keeps the ratio of its first frame, even if another is ordered. */
  keepsPictureRatio?: boolean;
  /** Set for models that the provider has shut down or announced to. */
  retired?: {
    /** YYYY-MM-DD. */
    on: string;
    /** A live model; null if the provider's package reaches none known. */
    replacement: string | null;
  };
  /** The provider's published price. */
  listPrice?: RouteCost;
}

/** Meanings of error texts according to a document. */
interface StatedErrors extends Citation {
  /** Patterns, ignoring case. */
  rules: readonly { match: string; code: RuleCode }[];
}

/** A free GET that shows whether a provider is reachable and accepts the key. */
export interface FreeProbe extends Citation {
  /** URL, with `{baseURL}` for the entry's own. */
  url: string;
  /** The header with the key, with `{key}` in its value. */
  headers: Readonly<Record<string, string>>;
  /** JSON pointer to the account's credit in the response. */
  balance?: string;
}

/** The rows of one provider; the first match of a model counts. */
export interface ProviderRows {
  rows: readonly Row[];
  probe?: FreeProbe;
  /** How orders for a model without a row are sent, by type; absent if that differs between models. */
  send: Readonly<Partial<Record<'video' | 'image', SendRules>>>;
}

/** A provider's API according to its documents and its package's code. */
export interface ApiFacts {
  /** The provider's name in `providerOptions`. */
  name: string;
  /**
   * Hosts of its API, in the notation of `mediaHosts`, in addition to those in the provider's entry. Absent if unknown.
   */
  apiHosts?: readonly string[];
  /** Whether it takes pictures only as bytes. */
  takesBytesOnly?: boolean;
  /** Largest response to a poll, in MiB, if it contains finished files. */
  maxPollMib?: number;
  /**
   * Set if an image submission only queues the work, so that an error in its response precedes the work.
   * Otherwise the one request is the whole work, and an error may follow it.
   */
  queuesImages?: boolean;
  /** Images per call, if the package's own number is wrong. */
  imagesPerCall?: number;
  /** The end of the paths of POSTs inside an image call that only poll. */
  imagePolls?: string;
  /** Path of a task's id; absent if unknown. */
  task?: TaskIdPath;
  /** The request that cancels a job; absent if the provider cannot cancel. */
  cancel?: CancelRequest;
}

/** Path of a task's id: the text, or its last part if it is a URL or a path. */
export interface TaskIdPath {
  /** The field of the operation. */
  field: string;
  /** The field of the responses to polls, as a path with dots; absent if they do not repeat it. */
  response?: string;
}

/** A request that cancels a job, with placeholders in its URL and header. */
export interface CancelRequest {
  method: 'POST' | 'PUT' | 'DELETE';
  /** The field of the operation that becomes `{value}` in the URL. */
  field: string;
  url: string;
  /** The header with the key, with `{key}` in its value. */
  headers: Readonly<Record<string, string>>;
}

/** The package with which a provider was tested. */
export interface PackageFacts {
  name: string;
  version: string;
  /** The factory's name for the key. */
  keyOption: 'apiKey' | 'apiToken';
  /** Options of its factory, in addition to those common to all packages. */
  options: readonly string[];
}

/** The description of a provider: its package, its API and the rows of its models. */
export interface ProviderFile extends ApiFacts, ProviderRows {
  package?: PackageFacts;
  /** The first match counts, with any HTTP status. */
  errors: readonly StatedErrors[];
  /** Fields next to a finished result that mean a refusal of its content. */
  flags: readonly (ResultFlag & Citation)[];
  /** Operations of task ids; the first with a pattern that matches the id applies. Absent if an id does not suffice. */
  operations?: readonly TaskOperation[];
}

/** The operation of a task id, as the package's `doStart` would return it. */
export interface TaskOperation {
  /** Pattern of the id; absent for a plain one. */
  id?: string;
  /** The operation's fields, with the placeholders `{id}` and `{model}`. */
  operation: Readonly<Record<string, string>>;
}

interface RowJson extends Omit<Row, 'send' | 'sizes'> {
  send?: string | SendRules;
  sizes?: string | SizeTable;
}

interface FileJson extends Omit<ProviderFile, 'send' | 'rows'> {
  /** By name, for rows; `video` and `image` are the defaults for rows and models that name none. */
  send?: Record<string, SendRules>;
  rows: RowJson[];
}

/**
 * Reads the description of a provider.
 * @throws Error with every problem, each with its JSON path.
 */
export function parseRows(json: unknown): ProviderFile {
  const checked = providerFileSchema.validate(json, { convert: false, abortEarly: false });
  if (checked.error) throw new Error(describeProblems(checked.error).join(' '));
  const { send = {}, rows, ...facts } = checked.value as FileJson;
  const problems: string[] = [];
  const find = <T extends object>(
    names: Readonly<Record<string, T>>,
    nameOrValue: string | T,
    at: string,
  ): T | Record<string, never> => {
    if (typeof nameOrValue !== 'string') return nameOrValue;
    const named = names[nameOrValue];
    if (!named) problems.push(`${at} names "${nameOrValue}", which is not there.`);
    return named ?? {};
  };
  const { video, image } = send;
  const parsed = rows.map(({ send: way, sizes, ...row }, index): Row => ({
    ...row,
    send: way === undefined ? (send[row.type] ?? {}) : find(send, way, `rows[${index}].send`),
    ...(sizes !== undefined && {
      sizes: withPortraits(find<SizeTable>(sharedSizes, sizes, `rows[${index}].sizes`)),
    }),
  }));
  if (problems.length > 0) throw new Error(problems.join(' '));
  return {
    ...facts,
    rows: parsed,
    send: { ...(video && { video }), ...(image && { image }) },
  };
}

/** A table in which the sizes of a ratio and its inverse are rotations of each other. */
function withPortraits(landscape: SizeTable): SizeTable {
  const swapSides = (text: string, by: string) => text.split(by).toReversed().join(by);
  return Object.fromEntries(
    Object.entries(landscape).map(([resolution, sizes]) => [
      resolution,
      {
        ...Object.fromEntries(
          Object.entries(sizes).map(([ratio, size]) => [
            swapSides(ratio, ':'),
            swapSides(size, 'x'),
          ]),
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

/** Maximum typing errors in a model id. */
const maxSlips = 2;

/**
 * The pattern of another row that a model without a row, or with a general one, was probably meant to match; null if
 * none is close.
 */
export function meantPattern(
  models: Pick<ProviderRows, 'rows'>,
  type: Row['type'],
  model: string,
): string | null {
  const lettersOf = (pattern: string) => pattern.replaceAll('*', '').length;
  const matched = rowOf(models, type, model)?.match.find((each) => fits(each, model)) ?? '';
  if (lettersOf(matched) > model.length / 2) return null;
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
