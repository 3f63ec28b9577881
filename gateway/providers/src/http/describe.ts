import { readdirSync, readFileSync } from 'node:fs';
import { didYouMean, jsonPath } from '@framegate/contract';
import { type Row, rowOf } from '../rows.ts';
import { problemsOf } from '../joiShapes.ts';
import { fieldsOf, isFields } from '../unknownJson.ts';
import { type Description, namesFileHosts } from './description.ts';
import { descriptionSchema } from './descriptionSchema.ts';

/** The fields of an entry that describe its API. */
export interface DescribingFields {
  /** A shipped description. */
  like?: string;
  /** A whole description, or the parts that replace those of the shipped one. */
  api?: object;
  baseURL?: string;
}

const folder = new URL('./descriptions/', import.meta.url);

/** The names of the shipped descriptions. */
export function shippedNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''))
    .toSorted();
}

const read = new Map<string, object>();

/** A shipped description as written; null if there is none of this name. */
export function shippedDescription(name: string): object | null {
  const known = read.get(name);
  if (known) return known;
  if (!shippedNames().includes(name)) return null;
  const json = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as object;
  read.set(name, json);
  return json;
}

/** The description of an API, or every problem with it, each beginning with its JSON path. */
export type Described =
  { description: Description; problems: [] } | { description: null; problems: string[] };

/** Completes and checks the description of an entry's API. @param at The entry's JSON path. */
export function describe(
  { like, api = {}, baseURL }: DescribingFields,
  at: readonly (string | number)[],
): Described {
  const shipped = like === undefined ? {} : shippedDescription(like);
  if (!shipped) {
    const meant = didYouMean(String(like), shippedNames());
    return fail(`${jsonPath([...at, 'like'])} is not an included description${meant}.`);
  }
  if (like === undefined && Object.keys(api).length === 0) {
    const names = shippedNames().join(', ');
    return fail(`${jsonPath(at)} needs api, or like with one of ${names}.`);
  }
  const json = replaceParts(shipped, api);
  const checked = descriptionSchema.validate(json, { convert: false, abortEarly: false });
  const problems = problemsOf(checked.error, [...at, 'api']);
  if (problems.length > 0) return { description: null, problems };
  const { baseURL: known, ...rest } = checked.value as Description;
  const base = baseURL ?? known;
  if (base === undefined) return fail(`${jsonPath([...at, 'baseURL'])} is required.`);
  return { description: { ...rest, baseURL: base }, problems: [] };
}

function fail(problem: string): { description: null; problems: string[] } {
  return { description: null, problems: [problem] };
}

/** Replaces parts of a document: objects member by member, other values whole; null removes (RFC 7396). */
function replaceParts(whole: object, parts: object): object {
  const result: Record<string, unknown> = { ...whole };
  for (const [name, part] of Object.entries(parts)) {
    if (part === null) Reflect.deleteProperty(result, name);
    else if (isFields(part)) result[name] = replaceParts(fieldsOf(result[name]), part);
    else result[name] = part;
  }
  return result;
}

/** The parts of an entry of kind http that its operator must add. */
export interface ApiNeeds {
  /** One sentence each, starting with the JSON path. */
  problems: readonly string[];
  /** Whether it needs a base URL, a key, and hosts of finished videos. */
  baseURL: boolean;
  key: boolean;
  mediaHosts: boolean;
  /** Whether the API makes videos, which a new model then is. */
  makesVideos: boolean;
  /** Whether each model has its own names for the fields of a request. */
  fieldNames: boolean;
  /** Whether a row describes a model; without one its route states its abilities. */
  describes(type: Row['type'], model: string): boolean;
}

const rowsIn = ({ rows }: Description) => ({ rows }) as Parameters<typeof rowOf>[0];

/** @param at The entry's JSON path. */
export function apiNeeds(
  entry: DescribingFields & { mediaHosts?: readonly string[] },
  at: readonly string[],
): ApiNeeds {
  const stated = entry.baseURL ?? 'https://api.invalid';
  const { description, problems } = describe({ ...entry, baseURL: stated }, at);
  return {
    problems,
    baseURL: entry.baseURL === undefined && describe(entry, at).problems.length > 0,
    key: description?.auth.type !== 'none',
    mediaHosts: !!description && !namesFileHosts(description) && !entry.mediaHosts?.length,
    makesVideos: description?.videos !== undefined,
    fieldNames: Object.keys(description?.videos?.send ?? {}).length === 0,
    describes: (type, model) =>
      description !== null && rowOf(rowsIn(description), type, model) !== undefined,
  };
}
