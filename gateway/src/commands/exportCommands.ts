import type { Command } from './command.ts';

/** Commands that print logs as CSV. */
export const exportCommands: Readonly<Record<string, Command>> = {
  'audit export': {
    usage: '[--since ISO]',
    summary: 'Prints the audit log of staff and operator actions as CSV, oldest first.',
    flags: { since: 'text' },
    prepare(flags) {
      const sinceMs = flags.time('since') ?? 0;
      return async (deps) => {
        const { auditCsvHeading, auditCsvLine } = await import('../domain/staff/auditCsv.ts');
        await deps.print(auditCsvHeading);
        for await (const entry of deps.audit.listSince(sinceMs)) {
          await deps.print(auditCsvLine(entry));
        }
        return {};
      };
    },
    isReadOnly: true,
    printsItself: true,
  },
  'real-person export': {
    usage: '[--since ISO]',
    summary: 'Prints every accepted use of real-person mode as CSV, oldest first.',
    flags: { since: 'text' },
    prepare(flags) {
      const sinceMs = flags.time('since') ?? 0;
      return async (deps) => {
        const { exportRealPersonUses } =
          await import('../application/accounts/exportRealPersonUses.ts');
        await exportRealPersonUses(deps, sinceMs, (text) => deps.print(text));
        return {};
      };
    },
    isReadOnly: true,
    printsItself: true,
  },
};
