import { CommandError } from '../domain/installation/commandError.ts';
import { versionOf } from '../domain/installation/schemaVersion.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';

/** Commands for the database's schema. */
export const databaseCommands: Readonly<Record<string, Command>> = {
  'database status': {
    usage: '',
    summary:
      'Shows completed and pending migrations; exits with status 1 if the gateway would not start on this database in production.',
    flags: {},
    needs: 'any schema',
    isReadOnly: true,
    prepare: () => async (deps) => {
      const { stored, codeVersion, verdict } = await deps.loadSchema();
      return {
        schema: versionOf(stored),
        needed: codeVersion,
        verdict,
        migrated_by: stored.migratedBy,
        migrations: stored.done.map(({ version, name, doneAt, durationMs }) => ({
          version,
          name,
          done_at: isoTimeOrNull(doneAt),
          duration_ms: durationMs,
        })),
      };
    },
    isBad: ({ verdict }) => ['older', 'newer', 'unknown'].includes(String(verdict)),
  },
  'database migrate': {
    usage: '',
    summary:
      'Runs pending migrations before a new version starts, while the old one runs. Run it again once the old version has stopped to finish removals.',
    flags: {},
    needs: 'any schema',
    noted: 'after it',
    hasChanged: ({ migrated }) => Array.isArray(migrated) && migrated.length > 0,
    prepare: () => async (deps) => {
      const migrated = await deps.migrate();
      const { stored, verdict } = await deps.loadSchema();
      return { migrated, schema: versionOf(stored), verdict };
    },
  },
  'database restored': {
    usage: '',
    summary:
      'Tells clients that follow the ledger or the events which entries a restore has lost. Run it after a restore, before the gateway starts.',
    flags: {},
    noted: 'after it',
    prepare: () => async (deps) => {
      const counter = await deps.feed.beginEpoch();
      if (counter === null) {
        throw new CommandError(
          'This restore is already recorded, and no client has read anything since. Nothing was changed.',
        );
      }
      return { followers_read_again_from: counter.last };
    },
  },
};
