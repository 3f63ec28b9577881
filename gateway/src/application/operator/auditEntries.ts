import { addWithin } from '@framegate/limits';
import { addressGroup } from '../../domain/network/addresses.ts';
import type { AuditEntry } from '../../domain/staff/auditEntry.ts';
import { dayNumberOf } from '../../domain/time/utcDay.ts';
import type { App } from '../app.ts';
import { DuplicateValueError } from '../ports/database.ts';
import { auditEntry } from '../staff/auditEntry.ts';
import type { OperatorCall } from './operatorCall.ts';

/** The entry of a call of the operator API in the audit log. */
export function operatorEntry(
  deps: Pick<App, 'clock' | 'random'>,
  { operation, key, requestId, address }: OperatorCall,
  about: Pick<AuditEntry, 'targets'> & Partial<Pick<AuditEntry, 'reason' | 'result' | 'formId'>>,
): AuditEntry {
  return auditEntry(deps, {
    accountId: key.id,
    email: `operator key ${key.name}`,
    role: 'operator',
    action: `api ${operation}`,
    requestId,
    address,
    ...about,
  });
}

/** Adds an entry that is written once for its `formId`, whichever process is first. */
export async function recordOnce(
  { audit }: Pick<App, 'audit'>,
  entry: AuditEntry & { formId: string },
): Promise<void> {
  try {
    await audit.begin(entry);
  } catch (error) {
    if (!(error instanceof DuplicateValueError)) throw error;
  }
}

/** Reads that a process remembers to have noted. */
const maxRemembered = 20_000;

/**
 * Creates the note of reads that show prompts: one entry per key, account, UTC day and network of the caller, so that
 * neither a product that reads all day nor a thief can fill the log, and a usual read writes nothing. The feed of
 * events counts as one account.
 */
export function createNoteRead(deps: Pick<App, 'audit' | 'clock' | 'random'>) {
  const recordedForms = new Set<string>();
  return async (call: OperatorCall, accountId: string | null): Promise<void> => {
    const { key, address } = call;
    const day = dayNumberOf(deps.clock.now());
    const formId = ['read', key.id, accountId ?? 'all', day, addressGroup(address)].join(' ');
    if (recordedForms.has(formId)) return;
    const targets = accountId === null ? [] : [accountId];
    const result = 'The first read of prompts on this day (UTC); later ones have no entry.';
    await recordOnce(deps, { ...operatorEntry(deps, call, { targets, result }), formId });
    addWithin(recordedForms, formId, maxRemembered);
  };
}

/** Notes a read that shows prompts. */
export type NoteRead = ReturnType<typeof createNoteRead>;
