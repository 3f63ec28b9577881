import { readdirSync, readFileSync } from 'node:fs';
import { didYouMean, isJsonObject, jsonPath } from '@framegate/contract';
import { describeProblems } from '../joiShapes.ts';
import { type Row, rowOf } from '../rows.ts';
import { fieldsOf } from '../unknownJson.ts';
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

const shippedByName = new Map<string, object>();

/** A shipped description as written; null if there is none of this name. */
export function shippedDescription(name: string): object | null {
  const cached = shippedByName.get(name);
  if (cached) return cached;
  if (!shippedNames().includes(name)) return null;
  const json = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as object;
  shippedByName.set(name, json);
  return json;
}

/** The description of an API, or every problem with it, each beginning with its JSON path. */
export type DescriptionOrProblems =
  { description: Description; problems: [] } | { description: null; problems: string[] };

/** Completes and checks the description of an entry's API. @param at The entry's JSON path. */
export function describe(
  { like, api = {}, baseURL }: DescribingFields,
  at: readonly (string | number)[],
): DescriptionOrProblems {
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
  const problems = describeProblems(checked.error, [...at, 'api']);
  if (problems.length > 0) return { description: null, problems };
  const { baseURL: describedURL, ...rest } = checked.value as Description;
  const base = baseURL ?? describedURL;
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
    else if (isJsonObject(part)) result[name] = replaceParts(fieldsOf(result[name]), part);
    else result[name] = part;
  }
  return result;
}

/** The parts of an entry of kind http that its operator must add. */
export interface ApiNeeds {
  /** One sentence each, starting with the JSON path. */
  problems: readonly string[];
  needsBaseUrl: boolean;
  needsKey: boolean;
  /** Whether it must name the hosts of finished videos. */
  needsMediaHosts: boolean;
  /** Whether the API makes videos, which a new model then is. */
  makesVideos: boolean;
  /** Whether each model has its own names for the fields of a request. */
  needsFieldNames: boolean;
  /** Whether a row describes a model; without one its route states its abilities. */
  describes(type: Row['type'], model: string): boolean;
}

const rowsIn = ({ rows }: Description) => ({ rows }) as Parameters<typeof rowOf>[0];

/** Finds the missing parts of an entry of kind http. @param at The entry's JSON path. */
export function apiNeeds(
  entry: DescribingFields & { mediaHosts?: readonly string[] },
  at: readonly string[],
): ApiNeeds {
  const stated = entry.baseURL ?? 'https://api.invalid';
  const { description, problems } = describe({ ...entry, baseURL: stated }, at);
  return {
    problems,
    needsBaseUrl: entry.baseURL === undefined && describe(entry, at).problems.length > 0,
    needsKey: description?.auth.type !== 'none',
    needsMediaHosts: !!description && !namesFileHosts(description) && !entry.mediaHosts?.length,
    makesVideos: description?.videos !== undefined,
    needsFieldNames: Object.keys(description?.videos?.send ?? {}).length === 0,
    describes: (type, model) =>
      description !== null && rowOf(rowsIn(description), type, model) !== undefined,
  };
}
