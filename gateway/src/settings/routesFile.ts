import { dirname, resolve } from 'node:path';
import { messageOf } from '@framegate/contract';
import type { KeyFile } from '@framegate/provider-routes';
import { fileParts, jsonObject } from '../domain/installation/jsonObject.ts';
import { type JsonFile, readJsonFile, requireUnique } from './jsonFile.ts';
import { readSecret } from './secretSettings.ts';

/** ROUTES_FILE with the key files that it names. Never log it. */
export interface RoutesJsonFile extends JsonFile {
  /** Key files by provider. */
  keyFiles: Readonly<Record<string, KeyFile>>;
}

/** ROUTES_FILE before its first provider. */
export const emptyRoutesFile = (path: string): RoutesJsonFile => ({
  path,
  content: {},
  repeated: [],
  lines: new Map(),
  keyFiles: {},
});

/**
 * Reads ROUTES_FILE and the files named there, relative to its folder: workflows, which it inserts, and keys.
 * @throws Error for the operator, naming every unreadable workflow.
 */
export function readRoutesFile(path: string): RoutesJsonFile {
  const file = readJsonFile(path);
  const problems: string[] = [];
  const absolute = (named: string) => resolve(dirname(path), named);
  const read = (named: string): unknown => {
    const whole = absolute(named);
    try {
      return requireUnique(readJsonFile(whole)).content;
    } catch (error) {
      problems.push(`the workflow ${whole}: ${messageOf(error)}`);
      return named;
    }
  };
  const { whole: written, providers } = fileParts(file.content);
  const filled = Object.entries(providers).map(([name, entry]) => {
    const { workflows } = jsonObject(entry);
    const named = Object.entries(jsonObject(workflows));
    if (!named.some(([, each]) => typeof each === 'string')) return [name, entry];
    const whole = named.map(([id, each]) => [id, typeof each === 'string' ? read(each) : each]);
    return [name, { ...jsonObject(entry), workflows: Object.fromEntries(whole) as object }];
  });
  if (problems.length > 0) throw new Error(problems.join('; '));
  const keyFiles = Object.entries(providers).flatMap(([name, entry]) => {
    const { apiKeyFile } = jsonObject(entry);
    return typeof apiKeyFile === 'string' ? [[name, readKeys(absolute(apiKeyFile))] as const] : [];
  });
  const named = { ...file, keyFiles: Object.fromEntries(keyFiles) };
  if (filled.length === 0) return named;
  const content = { ...written, providers: Object.fromEntries(filled) as object };
  return { ...named, content };
}

/** The account groups named in a routes file. @param content Unchecked. */
export function routeGroups(content: unknown): string[] {
  const { groups, models } = fileParts(content);
  const reserved = Object.values(models)
    .flat()
    .flatMap((route) => jsonObject(route)['groups'] ?? []);
  const names = [...Object.keys(groups), ...reserved];
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

/** Whether any model has a route. The rest of the file is checked when the routes are opened. */
export function hasRoutes(content: unknown): boolean {
  return Object.values(fileParts(content).models).some((list) => [list].flat().length > 0);
}

function readKeys(path: string): KeyFile {
  try {
    return { text: readSecret(path) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
