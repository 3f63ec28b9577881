import { realPersonCsvHeading, realPersonCsvLine } from '../../domain/realPerson.ts';
import type { Database } from '../ports/database.ts';

/**
 * Writes the accepted uses of real-person mode since a moment (ms since the epoch) as CSV, oldest first.
 * @param write Takes some lines; the next are read when it has taken them.
 */
export async function exportRealPersonUses(
  { database }: { database: Pick<Database, 'realPersonAudit'> },
  sinceMs: number,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(realPersonCsvHeading);
  for await (const audit of database.realPersonAudit.since(sinceMs)) {
    await write(realPersonCsvLine(audit));
  }
}
