import type { Command } from './command.ts';
import { UsageError } from './flags.ts';

/** Commands that verify and mend the ledger. */
export const ledgerCommands: Readonly<Record<string, Command>> = {
  'ledger verify': {
    usage: '[--account A | --since FILE] [--checkpoint FILE]',
    summary:
      'Verifies the ledger, one account, or all changes since a checkpoint; exits with status 1 if the ledger is broken. --checkpoint writes a new checkpoint.',
    flags: { account: 'text', since: 'text', checkpoint: 'text' },
    isReadOnly: true,
    prepare(flags) {
      const accountId = flags.textOrNull('account');
      const since = flags.textOrNull('since');
      const path = flags.textOrNull('checkpoint');
      if (accountId !== null && (since !== null || path !== null)) {
        throw new UsageError('--account cannot be combined with --since or --checkpoint.');
      }
      return async (deps) => {
        const { verifyLedger } = await import('../application/credits/audit/verifyLedger.ts');
        const { verifySince } = await import('../application/credits/audit/verifySince.ts');
        const { checkpoints, clock } = deps;
        const next = path === null ? null : { writer: checkpoints.writer(path), at: clock.now() };
        const report =
          since === null
            ? await verifyLedger({ ...deps, threads: await deps.auditThreads() }, accountId, next)
            : await verifySince(deps, await checkpoints.open(since), next);
        const { accounts, generations, problems, problemsOmitted } = report;
        return {
          accounts,
          generations,
          problems,
          ...(problemsOmitted > 0 && { problems_omitted: problemsOmitted }),
          ...(path !== null && { checkpoint: problems.length === 0 ? path : null }),
        };
      };
    },
    isBad: hasProblems,
  },
  'ledger mend': {
    usage: '--account A [--dry-run]',
    summary:
      'Rebuilds a damaged account from its ledger and verifies it; --dry-run only shows the changes. The ledger is never changed.',
    flags: { account: 'text', 'dry-run': 'switch' },
    noted: 'with its change',
    prepare(flags) {
      const accountId = flags.text('account');
      const isDryRun = flags.isOn('dry-run');
      return async (deps) => {
        const { mendAccount } = await import('../application/credits/audit/mendAccount.ts');
        const { changes, problems } = await mendAccount(deps, accountId, isDryRun);
        const isHealthy = changes.length === 0 && problems.length === 0;
        return {
          account_id: accountId,
          result: isHealthy ? 'healthy: nothing was changed' : resultOf(changes, isDryRun),
          changes,
          problems,
        };
      };
    },
    isBad: hasProblems,
  },
};

function hasProblems({ problems }: Record<string, unknown>): boolean {
  return Array.isArray(problems) && problems.length > 0;
}

function resultOf(changes: readonly unknown[], isDryRun: boolean): string {
  if (changes.length === 0) return 'nothing can be mended; nothing was changed';
  return isDryRun ? 'nothing was changed' : 'mended';
}
