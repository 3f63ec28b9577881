import { versionOf } from '../domain/schemaVersion.ts';
import { isoTime, type Command } from './command.ts';

/** The commands about the database's schema. */
export const databaseCommands: Readonly<Record<string, Command>> = {
  'database status': {
    usage: '',
    summary:
      'Shows which migrations were run and which this version needs; exit status 1 when the gateway would not start on it in production.',
    flags: {},
    needs: 'any schema',
    readsOnly: true,
    read: () => async (deps) => {
      const { stored, codeVersion, verdict } = await deps.schema();
      return {
        schema: versionOf(stored),
        needed: codeVersion,
        verdict,
        migrated_by: stored.migratedBy,
        migrations: stored.done.map(({ version, name, doneAt, durationMs }) => ({
          version,
          name,
          done_at: isoTime(doneAt),
          duration_ms: durationMs,
        })),
      };
    },
    isBad: ({ verdict }) => verdict === 'older' || verdict === 'newer',
  },
  'database migrate': {
    usage: '',
    summary:
      'Runs the migrations that the database lacks; a process that does so already is waited for. Before the processes of a new version start; those of the release before may run meanwhile.',
    flags: {},
    needs: 'any schema',
    read: () => async (deps) => {
      const migrated = await deps.migrate();
      return { migrated, schema: versionOf((await deps.schema()).stored) };
    },
  },
};
