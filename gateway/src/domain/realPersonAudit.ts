import type { InputRole, InputType } from '@framegate/contract';
import type { Generation } from './generation.ts';

/**
 * What is kept of an accepted use of real-person mode, apart from its generation
 * and longer than that. Times in ms since the epoch. Never leaves the operator.
 */
export interface RealPersonAudit {
  /** The generation's id. */
  id: string;
  at: number;
  accountId: string;
  /** Null for a use on the account's own site. */
  keyId: string | null;
  requestId: string;
  model: string;
  mode: string;
  /** Version of our rules at that time. */
  policyVersion: string;
  /** The customer's own reference to the consent; the rights were confirmed, else it was refused. */
  consentReference: string;
  callerAddress: string;
  /** The inputs in their order; SHA-256 in hex once they have been taken over, else null. */
  inputs: { type: InputType; role: InputRole; sha256: string | null }[];
  /** When the record is removed. */
  keptUntil: number;
}

/** The audit record of a new generation; undefined when it does not use the mode. */
export function realPersonAuditOf(
  generation: Generation,
  keptMs: number,
): RealPersonAudit | undefined {
  const { id, accountId, keyId, requestId, model, mode, realPerson, createdAt } = generation;
  if (!realPerson) return undefined;
  return {
    id,
    at: createdAt,
    accountId,
    keyId,
    requestId,
    model,
    mode: mode ?? '',
    ...realPerson,
    inputs: generation.inputs.map(({ type, role }) => ({ type, role, sha256: null })),
    keptUntil: createdAt + keptMs,
  };
}

const columns = [
  'time',
  'generation_id',
  'account_id',
  'key_id',
  'request_id',
  'model',
  'mode',
  'policy_version',
  'rights_confirmed',
  'consent_reference',
  'caller_address',
  'inputs',
] as const;

/** The heading of the CSV (RFC 4180), with its line end. */
export const realPersonCsvHeading = `${columns.join(',')}\r\n`;

/** A record as a line of CSV, with its line end. */
export function realPersonCsvLine(audit: RealPersonAudit): string {
  const cells: Record<(typeof columns)[number], string> = {
    time: new Date(audit.at).toISOString(),
    generation_id: audit.id,
    account_id: audit.accountId,
    key_id: audit.keyId ?? '',
    request_id: audit.requestId,
    model: audit.model,
    mode: audit.mode,
    policy_version: audit.policyVersion,
    rights_confirmed: 'true',
    consent_reference: audit.consentReference,
    caller_address: audit.callerAddress,
    inputs: audit.inputs
      .map(({ role, sha256 }) => `${role}=${sha256 ?? 'not taken over'}`)
      .join('; '),
  };
  return `${columns.map((name) => cell(cells[name])).join(',')}\r\n`;
}

/** A cell that a spreadsheet could take for a formula is marked as text (OWASP, CSV injection). */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
