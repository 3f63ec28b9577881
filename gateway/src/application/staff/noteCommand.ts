import { idsAmong } from '../../domain/ids.ts';
import { CommandError } from '../../domain/installation/commandError.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AuditEntry } from '../../domain/staff/auditEntry.ts';
import type { CommandAction } from '../../domain/staff/staffRights.ts';
import { recordingDatabase } from '../accounts/recordingDatabase.ts';
import type { App } from '../app.ts';
import type { Database } from '../ports/database.ts';
import { auditEntry } from './auditEntry.ts';

/**
 * When the entry of a command is written: in the transaction of the account that it changes, before and after other
 * work, or only after it, for a database that may not have a log yet.
 */
export type NotedWhen = 'with its change' | 'around it' | 'after it';

/** A run of a command that changes something. */
export interface CommandRun {
  action: CommandAction;
  /** Who ran it: a name that was given, or the user of the machine. */
  by: string;
  /** Ids among its flags. */
  targets: readonly string[];
  reason: string;
  /** The command's other flags in words, without personal data: the log is permanent. */
  what: string;
  noted: NotedWhen;
}

type Output = Record<string, unknown>;
type NoteDeps = Pick<App, 'audit' | 'clock' | 'random' | 'database'>;

/**
 * Runs a command with its entry in the audit log. A run that is refused, or finds everything done, changes nothing and
 * needs none; one with steps of its own has an entry before the first, which stays `begun` after a crash.
 * @param work Does it on this database.
 * @param hasChanged Whether the output reports a change; for entries written after the work.
 */
export async function runNoted(
  deps: NoteDeps,
  run: CommandRun,
  work: (database: Database) => Promise<Output>,
  hasChanged: (output: Output) => boolean = () => true,
): Promise<Output> {
  const entry = entryOf(deps, run);
  if (run.noted === 'with its change') {
    const { database } = recordingDatabase(deps.database, ({ after, entry: booked }) => ({
      audit: {
        ...entry,
        targets: [...new Set([after.id, ...run.targets])],
        ...(booked && { requestId: booked.requestId }),
      },
    }));
    return work(database);
  }
  if (run.noted === 'after it') {
    const output = await work(deps.database);
    if (hasChanged(output)) await deps.audit.begin(entry);
    return output;
  }
  await deps.audit.begin({ ...entry, outcome: 'begun', result: '' });
  try {
    const output = await work(deps.database);
    await deps.audit.finish(entry.id, 'done', run.what, idsAmong(Object.values(output)));
    return output;
  } catch (error) {
    const message = error instanceof CommandError ? error.message : null;
    const refused = error instanceof Refusal ? error : message;
    const resultText = refused ?? 'The command failed: see its output.';
    await deps.audit.finish(entry.id, refused === null ? 'failed' : 'refused', resultText);
    throw error;
  }
}

function entryOf(deps: NoteDeps, run: CommandRun): AuditEntry {
  return auditEntry(deps, {
    accountId: 'operator',
    email: run.by,
    role: 'operator',
    action: run.action,
    targets: [...run.targets],
    reason: run.reason,
    result: run.what,
    requestId: deps.random.newId('req'),
    address: 'command line',
  });
}
