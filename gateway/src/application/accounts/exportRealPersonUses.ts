import { realPersonCsvHeading, realPersonCsvLine } from '../../domain/generations/realPerson.ts';
import type { Database } from '../ports/database.ts';

/**
 * Writes the accepted uses of real-person mode since a time (ms since the epoch) as CSV, oldest first.
 * @param write Takes a batch of lines; the next batch is read after it resolves.
 */
export async function exportRealPersonUses(
  { database }: { database: Pick<Database, 'realPersonAudit'> },
  sinceMs: number,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(realPersonCsvHeading);
  for await (const audit of database.realPersonAudit.listSince(sinceMs)) {
    await write(realPersonCsvLine(audit));
  }
}
