import { realPersonCsvHeading, realPersonCsvLine } from '../../domain/realPersonAudit.ts';
import type { Database } from '../ports/database.ts';

/** The accepted uses of real-person mode since a moment (ms since the epoch) as CSV, oldest first. */
export async function exportRealPersonUses(
  { database }: { database: Pick<Database, 'realPersonAudit'> },
  sinceMs: number,
): Promise<string> {
  const lines = [realPersonCsvHeading];
  for await (const audit of database.realPersonAudit.since(sinceMs)) {
    lines.push(realPersonCsvLine(audit));
  }
  return lines.join('');
}
