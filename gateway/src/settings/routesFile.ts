import { dirname, resolve } from 'node:path';
import { readJsonFile, recordOf, requireUnique, type JsonFile } from './jsonFile.ts';

/**
 * Reads ROUTES_FILE, and inserts the providers' workflows that it names by path.
 * @throws Error for the operator, naming every unreadable file.
 */
export function readRoutesFile(path: string): JsonFile {
  const file = readJsonFile(path);
  const problems: string[] = [];
  const read = (named: string): unknown => {
    const whole = resolve(dirname(path), named);
    try {
      return requireUnique(readJsonFile(whole)).content;
    } catch (error) {
      problems.push(`the workflow ${whole}: ${(error as Error).message}`);
      return named;
    }
  };
  const providers = recordOf(recordOf(file.content)['providers']);
  const filled = Object.entries(providers).map(([name, entry]) => {
    const { workflows } = recordOf(entry);
    const named = Object.entries(recordOf(workflows));
    if (!named.some(([, each]) => typeof each === 'string')) return [name, entry];
    const whole = named.map(([id, each]) => [id, typeof each === 'string' ? read(each) : each]);
    return [name, { ...recordOf(entry), workflows: Object.fromEntries(whole) as object }];
  });
  if (problems.length > 0) throw new Error(problems.join('; '));
  if (filled.length === 0) return file;
  const content = { ...recordOf(file.content), providers: Object.fromEntries(filled) as object };
  return { ...file, content };
}
