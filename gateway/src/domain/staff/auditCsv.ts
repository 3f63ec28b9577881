import { csvLine, escapeFormula } from '../text/text.ts';
import { isoTime } from '../time/isoTime.ts';
import type { AuditEntry } from './auditEntry.ts';

const columns = [
  'time',
  'entry_id',
  'by',
  'by_id',
  'role',
  'action',
  'targets',
  'reason',
  'outcome',
  'result',
  'request_id',
  'address',
];

/** The header of the log as CSV (RFC 4180), with its line end. */
export const auditCsvHeading = csvLine(columns);

/** An entry as a line of CSV, with its line end. Targets are separated by spaces. */
export function auditCsvLine(entry: Omit<AuditEntry, 'formId'>): string {
  const { at, id, email, accountId, role, action, targets, reason, outcome, result } = entry;
  return csvLine(
    [
      isoTime(at),
      id,
      email,
      accountId,
      role,
      action,
      targets.join(' '),
      reason,
      outcome,
      result,
      entry.requestId,
      entry.address,
    ].map(escapeFormula),
  );
}
