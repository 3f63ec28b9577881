import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readIfPresent } from '../gateway/src/adapters/system/files.ts';
import { MissingProgramError, type Target } from './target.ts';

/** Lines about files, each with the name of its file. */
export interface TargetReport {
  written: string[];
  /** Files that need a program that this machine lacks. */
  missing: string[];
  /** Files that differ from their targets in a check, or that cannot be made. */
  wrong: string[];
}

/**
 * Makes every file that can be made.
 * @param checkOnly Compares the files instead of writing them.
 * @param root The folder of the files.
 */
export async function writeTargets(
  targets: readonly Target[],
  checkOnly: boolean,
  root = join(import.meta.dirname, '..'),
): Promise<TargetReport> {
  const report: TargetReport = { written: [], missing: [], wrong: [] };
  for (const target of targets) {
    const { file, needs } = target;
    const path = join(root, file);
    try {
      const current = readIfPresent(path) ?? '';
      const content = await formatContent(target, current, path);
      if (content === current) continue;
      if (checkOnly) {
        const how = needs === undefined ? '' : ` with ${needs}`;
        report.wrong.push(`${file} is out of date: run "npm run generate"${how}`);
        continue;
      }
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      report.written.push(`wrote ${file}`);
    } catch (error) {
      if (error instanceof MissingProgramError && needs !== undefined) {
        report.missing.push(`${file} needs ${needs} (${error.message})`);
      } else {
        report.wrong.push(`${file}: ${describeError(error)}`);
      }
    }
  }
  return report;
}

/** The content of a file, formatted as by `npm run format`. */
async function formatContent(target: Target, current: string, path: string): Promise<string> {
  const content = await target.content(current);
  const plain = target.plain === true;
  return plain ? content : format(content, { ...(await resolveConfig(path)), filepath: path });
}

/** The message of a target's own error, the stack of any other. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : (error.stack ?? error.message);
}
