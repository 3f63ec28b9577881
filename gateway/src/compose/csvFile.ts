import { messageOf } from '@framegate/contract';
import { CommandError } from '../domain/installation/commandError.ts';
import type { CsvRows } from '../domain/providers/invoice.ts';
import { readSmallFile } from '../settings/jsonFile.ts';

const maxBytes = 64 * 1024 * 1024;

/** Reads a CSV file with commas, semicolons or tabs. @throws CommandError */
export async function readCsv(path: string): Promise<CsvRows> {
  const { parse } = await import('csv-parse/sync');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readSmallFile(path, maxBytes));
    const [headings = ''] = text.split('\n', 1);
    const count = (mark: string) => headings.split(mark).length;
    const [delimiter = ','] = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a));
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      skip_empty_lines: true,
    });
  } catch (error) {
    const message = messageOf(error).replace(/\.$/, '');
    const isContent = error instanceof Error && 'code' in error;
    const problem = isContent ? `is not valid CSV in UTF-8 (${message})` : message;
    throw new CommandError(`${path}: it ${problem}.`);
  }
}
