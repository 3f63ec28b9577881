import { maxGrantCredits } from '@framegate/contract';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import { accountCommands } from './accountCommands.ts';
import { type ApartCommand, type Command, UsageError } from './command.ts';
import { costCommands } from './costCommands.ts';
import { grantCommand } from './grantCommand.ts';
import { lookUpCommands } from './lookUpCommands.ts';
import { modelCommands } from './modelCommands.ts';
import { operatorKeyCommands } from './operatorKeyCommands.ts';
import { planCommands } from './planCommands.ts';
import { refusedCommands } from './refusedCommands.ts';
import { databaseCommands, routeCommands, secretCommands } from './systemCommands.ts';

/** Every command by its two words, in the order of the usage and docs/operating/admin.md. */
export const commands: Readonly<Record<string, Command | ApartCommand>> = {
  ...accountCommands,
  ...lookUpCommands,
  'generation takedown': {
    usage: '--generation G',
    summary: 'Takes down the files of a completed generation; their URLs return 410 immediately.',
    flags: { generation: 'text' },
    noted: 'around it',
    read(flags) {
      const generationId = flags.text('generation');
      return async (deps) => {
        const { takeDown } = await import('../application/staff/generationActions.ts');
        const result = await deps.removing((removal) =>
          takeDown(removal, generationId, 'an operator'),
        );
        return { generation_id: generationId, result };
      };
    },
  },
  ...refusedCommands,
  'credits grant': grantCommand,
  ...planCommands,
  'key create': {
    usage:
      '--account A --name N [--host H ...] [--model M ...] [--daily-credits N] [--monthly-credits N]',
    summary: 'Creates an API key and shows it once; the hosts you list are approved immediately.',
    flags: {
      account: 'text',
      name: 'text',
      host: 'texts',
      model: 'texts',
      'daily-credits': 'text',
      'monthly-credits': 'text',
    },
    noted: 'with its change',
    read(flags) {
      const command = {
        accountId: flags.text('account'),
        name: flags.text('name'),
        hosts: flags.texts('host'),
        models: flags.texts('model'),
        dailyCredits: flags.whole('daily-credits', 1, maxGrantCredits),
        monthlyCredits: flags.whole('monthly-credits', 1, maxGrantCredits),
      };
      return async (deps) => {
        const { createKey } = await import('../application/keys/keys.ts');
        const { allModels } = await import('../application/catalogue/offer.ts');
        const versions = [
          ...(await deps.catalogues.page(null, 50)),
          deps.requestedCatalogue().catalogue,
        ];
        const models = allModels(versions);
        const { keyId, apiKey } = await createKey(
          { ...deps, pepper: deps.pepper(), allModels: () => models },
          command,
        );
        return { key_id: keyId, api_key: apiKey };
      };
    },
  },
  'key revoke': {
    usage: '--key K',
    summary: 'Permanently revokes an API key.',
    flags: { key: 'text' },
    noted: 'with its change',
    read(flags) {
      const keyId = flags.text('key');
      return async (deps) => {
        const { revokeKey } = await import('../application/keys/keys.ts');
        return { key_id: keyId, revoked_at: isoTimeOrNull(await revokeKey(deps, keyId)) };
      };
    },
  },
  'host approve': {
    usage: '--key K --host H',
    summary: 'Approves an input host for a key: a host name or a wildcard such as *.media.example.',
    flags: { key: 'text', host: 'text' },
    noted: 'with its change',
    read(flags) {
      const command = { keyId: flags.text('key'), host: flags.text('host') };
      return async (deps) => {
        const { approveHost } = await import('../application/keys/keys.ts');
        const host = await approveHost(deps, command);
        return { key_id: command.keyId, host, state: 'approved' };
      };
    },
  },
  ...operatorKeyCommands,
  'audit export': {
    usage: '[--since ISO]',
    summary: 'Prints the audit log of staff and operator actions as CSV, oldest first.',
    flags: { since: 'text' },
    read(flags) {
      const sinceMs = flags.moment('since') ?? 0;
      return async (deps) => {
        const { auditCsvHeading, auditCsvLine } = await import('../domain/staff/auditCsv.ts');
        await deps.print(auditCsvHeading);
        for await (const entry of deps.audit.since(sinceMs)) await deps.print(auditCsvLine(entry));
        return {};
      };
    },
    readsOnly: true,
    printsItself: true,
  },
  'real-person export': {
    usage: '[--since ISO]',
    summary: 'Prints every accepted use of real-person mode as CSV, oldest first.',
    flags: { since: 'text' },
    read(flags) {
      const sinceMs = flags.moment('since') ?? 0;
      return async (deps) => {
        const { exportRealPersonUses } =
          await import('../application/accounts/exportRealPersonUses.ts');
        await exportRealPersonUses(deps, sinceMs, (text) => deps.print(text));
        return {};
      };
    },
    readsOnly: true,
    printsItself: true,
  },
  'staff enrol': {
    usage: '--account A [--new-password]',
    summary:
      'Creates a one-time link where a staff member sets up two-factor authentication and, with --new-password, sets a new password; valid for one hour.',
    flags: { account: 'text', 'new-password': 'switch' },
    noted: 'around it',
    read(flags) {
      const accountId = flags.text('account');
      const setsPassword = flags.given('new-password');
      return async (deps) => ({
        account_id: accountId,
        enrolment_url: await deps.enrolmentLink(accountId, setsPassword),
      });
    },
  },
  ...modelCommands,
  ...routeCommands,
  ...costCommands,
  'ledger verify': {
    usage: '[--account A | --since FILE] [--checkpoint FILE]',
    summary:
      'Verifies the ledger, one account, or all changes since a checkpoint; exits with status 1 if the ledger is broken. --checkpoint writes a new checkpoint.',
    flags: { account: 'text', since: 'text', checkpoint: 'text' },
    readsOnly: true,
    read(flags) {
      const accountId = flags.textOrNull('account');
      const since = flags.textOrNull('since');
      const wanted = flags.textOrNull('checkpoint');
      if (accountId !== null && (since !== null || wanted !== null)) {
        throw new UsageError('--account cannot be combined with --since or --checkpoint.');
      }
      return async (deps) => {
        const { verifyLedger } = await import('../application/credits/audit/verifyLedger.ts');
        const { verifySince } = await import('../application/credits/audit/verifySince.ts');
        const { checkpoints, clock } = deps;
        const next =
          wanted === null ? null : { writer: checkpoints.writer(wanted), at: clock.now() };
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
          ...(wanted !== null && { checkpoint: problems.length === 0 ? wanted : null }),
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
    read(flags) {
      const accountId = flags.text('account');
      const isTrial = flags.given('dry-run');
      return async (deps) => {
        const { mendAccount } = await import('../application/credits/audit/mendAccount.ts');
        const { changes, problems } = await mendAccount(deps, accountId, isTrial);
        const isHealthy = changes.length === 0 && problems.length === 0;
        return {
          account_id: accountId,
          result: isHealthy ? 'healthy: nothing was changed' : resultOf(changes, isTrial),
          changes,
          problems,
        };
      };
    },
    isBad: hasProblems,
  },
  ...secretCommands,
  ...databaseCommands,
};

function hasProblems({ problems }: Record<string, unknown>): boolean {
  return Array.isArray(problems) && problems.length > 0;
}

function resultOf(changes: readonly unknown[], isTrial: boolean): string {
  if (changes.length === 0) return 'nothing can be repaired; nothing was changed';
  return isTrial ? 'nothing was changed' : 'mended';
}
