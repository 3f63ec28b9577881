import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type Joi from 'joi';
import { errorCodeOf, jsonPath, messageOf } from '@framegate/contract';
import { FileProblemsError, reporter } from '../domain/installation/fileProblems.ts';

/** An operator's JSON file. */
export interface JsonFile {
  /** Absolute path. */
  path: string;
  content: unknown;
  /** Names that appear twice in an object, one sentence each: JSON keeps only the last. */
  repeated: readonly string[];
  /** The line of each named member, by its path as `jsonPath` writes it. */
  lines: ReadonlyMap<string, number>;
}

/** Reads a JSON file. @throws Error with the reason, for the operator. */
export function readJsonFile(path: string): JsonFile {
  const text = readText(path);
  try {
    const content = JSON.parse(text) as unknown;
    return { path, content, repeated: repeatedNames(text), lines: linesOf(text) };
  } catch (error) {
    throw new Error(`it is not JSON (${reason(error)})`, { cause: error });
  }
}

/** The text of a file. @throws Error with the reason, for the operator. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new Error(`it cannot be read (${reason(error)})`, { cause: error });
  }
}

/** Reads a file of bounded size. @throws Error that completes "it …". */
export function readSmallFile(path: string, maxBytes: number): Uint8Array {
  try {
    const about = statSync(path);
    if (!about.isFile()) throw new Error('is not a plain file');
    if (about.size > maxBytes) {
      throw new Error(`has ${about.size} bytes; the maximum is ${maxBytes}`);
    }
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && !('code' in error)) throw error;
    throw new Error(`cannot be read (${reason(error)})`, { cause: error });
  }
}

/** @throws Error with every name that appears twice. */
export function requireUnique(file: JsonFile): JsonFile {
  if (file.repeated.length === 0) return file;
  throw new Error(withLines(file, file.repeated).join(' ').replace(/\.$/, ''));
}

/**
 * Problems of a file with their lines, such as `models.json:12: models.gamma is required.`
 * @param problems Each starts with a path as `jsonPath` writes it; a missing member has the line of the part around it.
 */
export function withLines(
  { path, lines }: Pick<JsonFile, 'path' | 'lines'>,
  problems: readonly string[],
): string[] {
  return problems.map((problem) => {
    const line = lineOf(problem, lines);
    return line === null ? problem : `${basename(path)}:${line}: ${problem}`;
  });
}

/** Parses a file. @throws FileProblemsError whose problems have their lines. */
export function parseFile<T>(file: JsonFile, parse: (content: unknown) => T): T {
  try {
    return parse(file.content);
  } catch (error) {
    if (!(error instanceof FileProblemsError)) throw error;
    throw new FileProblemsError(withLines(file, error.problems));
  }
}

/** The content of a file, checked by a schema. @throws FileProblemsError with every problem. */
export function checkContent<T>(schema: Joi.Schema<T>, content: unknown): T {
  const errors = { label: false, wrap: { label: false } } as const;
  const checked = schema.validate(content, { convert: false, abortEarly: false, errors });
  if (checked.error === undefined) return checked.value;
  const problems: string[] = [];
  for (const { path, message } of checked.error.details) reporter(problems, path)([], message);
  throw new FileProblemsError(problems);
}

function lineOf(problem: string, lines: ReadonlyMap<string, number>): number | null {
  let [longest, matchedLine]: [number, number | null] = [0, null];
  for (const [path, line] of lines) {
    if (path.length <= longest || !problem.startsWith(path)) continue;
    if (/^[ .[]/.test(problem.slice(path.length))) [longest, matchedLine] = [path.length, line];
  }
  return matchedLine;
}

const reason = (error: unknown): string => errorCodeOf(error) ?? messageOf(error);

/** An object or list around the current position, with the place of its current member. */
interface OpenContainer {
  names: Set<string> | null;
  at: string | number;
}

/** A named member of an object. */
interface Member {
  path: string;
  /** Line number from 1. */
  line: number;
  /** Whether its object already has a member of this name. */
  isRepeated: boolean;
}

/** Names that appear twice in an object. @param text Valid JSON. */
export function repeatedNames(text: string): string[] {
  return membersOf(text)
    .filter(({ isRepeated }) => isRepeated)
    .map(({ path }) => `${path} appears twice.`);
}

/** The lines of all named members by their path as `jsonPath` writes it. @param text Valid JSON. */
export function linesOf(text: string): ReadonlyMap<string, number> {
  return new Map(membersOf(text).map(({ path, line }) => [path, line]));
}

function membersOf(text: string): Member[] {
  const members: Member[] = [];
  const open: OpenContainer[] = [];
  let isName = false;
  let line = 1;
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},\n]/g)) {
    if (sign === '\n') {
      line += 1;
      continue;
    }
    const top = open.at(-1);
    if (sign === '{') {
      open.push({ names: new Set(), at: '' });
    } else if (sign === '[') {
      open.push({ names: null, at: 0 });
    } else if (sign === '}' || sign === ']') {
      open.pop();
    } else if (sign === ',') {
      if (typeof top?.at === 'number') top.at += 1;
    } else if (isName && top?.names) {
      top.at = JSON.parse(sign) as string;
      const path = jsonPath(open.map(({ at }) => at));
      members.push({ path, line, isRepeated: top.names.has(top.at) });
      top.names.add(top.at);
    }
    isName = sign === '{' || sign === ',';
  }
  return members;
}
