import { approveHost } from '../application/admin/approveHost.ts';
import { createKey } from '../application/admin/createKey.ts';
import { exportRealPersonUses } from '../application/admin/exportRealPersonUses.ts';
import { grantCreditsMax } from '../application/admin/grantCredits.ts';
import { revokeKey } from '../application/admin/revokeKey.ts';
import { setAccountStatus } from '../application/admin/setAccountStatus.ts';
import { setLimits } from '../application/admin/setLimits.ts';
import { showAccount } from '../application/admin/showAccount.ts';
import { verifyLedger } from '../application/admin/verifyLedger.ts';
import { eraseToTheEnd } from '../application/staff/accountActions.ts';
import { takeDown } from '../application/staff/generationActions.ts';
import type { Command } from './command.ts';
import { createAccountCommand } from './createAccountCommand.ts';
import { grantCommand } from './grantCommand.ts';
import { limitFlags, presentLimits, readLimitFlags } from './limitFlags.ts';

/** A time as the output shows it. */
const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function statusCommand(status: 'active' | 'suspended', summary: string): Command {
  return {
    usage: '--account A',
    summary,
    flags: { account: 'text' },
    read(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        await setAccountStatus(deps, { accountId, status });
        return { account_id: accountId, status };
      };
    },
  };
}

/** Every command, by its two words. */
export const commands: Readonly<Record<string, Command>> = {
  'account create': createAccountCommand,
  'account show': {
    usage: '--account A',
    summary: 'Shows status, credits, limits and lots.',
    flags: { account: 'text' },
    read(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        const account = await showAccount(deps, accountId);
        return {
          account_id: account.id,
          status: account.status,
          available: account.available,
          in_flight: account.inFlight,
          limits: presentLimits(account.limits),
          lots: account.lots.map((lot) => ({
            lot_id: lot.id,
            kind: lot.kind,
            amount: lot.amount,
            remaining: lot.remaining,
            expires_at: time(lot.expiresAt),
          })),
        };
      };
    },
  },
  'account limits': {
    usage: `--account A ${Object.keys(limitFlags)
      .map((name) => `[--${name} N]`)
      .join(' ')}`,
    summary: 'Gives an account limits of its own; those not named stay.',
    flags: {
      account: 'text',
      ...Object.fromEntries(Object.keys(limitFlags).map((name) => [name, 'text'] as const)),
    },
    read(flags) {
      const accountId = flags.text('account');
      const limits = readLimitFlags(flags);
      return async (deps) => ({
        account_id: accountId,
        limits: presentLimits(await setLimits(deps, { accountId, limits })),
      });
    },
  },
  'account suspend': statusCommand('suspended', 'Stops an account from creating generations.'),
  'account resume': statusCommand('active', 'Lets a suspended account create again.'),
  'account erase': {
    usage: '--account A',
    summary:
      'Removes address, password, keys, prompts and files of an account for good; its ledger stays under the id.',
    flags: { account: 'text' },
    read(flags) {
      const accountId = flags.text('account');
      return async (deps) => ({
        account_id: accountId,
        result: await deps.removing((removal) => eraseToTheEnd(removal, accountId, deps.tell)),
      });
    },
  },
  'generation takedown': {
    usage: '--generation G',
    summary: 'Takes the files of a completed generation down: their URLs answer 410 at once.',
    flags: { generation: 'text' },
    read(flags) {
      const generationId = flags.text('generation');
      return async (deps) => ({
        generation_id: generationId,
        result: await deps.removing((removal) => takeDown(removal, generationId, 'an operator')),
      });
    },
  },
  'credits grant': grantCommand,
  'key create': {
    usage: '--account A --name N [--host H ...] [--model M ...] [--daily-credits N]',
    summary: 'Makes an API key and shows it once; its hosts are approved at once.',
    flags: {
      account: 'text',
      name: 'text',
      host: 'texts',
      model: 'texts',
      'daily-credits': 'text',
    },
    read(flags) {
      const command = {
        accountId: flags.text('account'),
        name: flags.text('name'),
        hosts: flags.texts('host'),
        models: flags.texts('model'),
        dailyCredits: flags.whole('daily-credits', 1, grantCreditsMax),
      };
      return async (deps) => {
        const { keyId, apiKey } = await createKey({ ...deps, pepper: deps.pepper() }, command);
        return { key_id: keyId, api_key: apiKey };
      };
    },
  },
  'key revoke': {
    usage: '--key K',
    summary: 'Ends an API key for good.',
    flags: { key: 'text' },
    read(flags) {
      const keyId = flags.text('key');
      return async (deps) => ({ key_id: keyId, revoked_at: time(await revokeKey(deps, keyId)) });
    },
  },
  'host approve': {
    usage: '--key K --host H',
    summary: 'Lets a key use an input host: a name, or *.suffix.',
    flags: { key: 'text', host: 'text' },
    read(flags) {
      const command = { keyId: flags.text('key'), host: flags.text('host') };
      return async (deps) => {
        const host = await approveHost(deps, command);
        return { key_id: command.keyId, host, state: 'approved' };
      };
    },
  },
  'real-person export': {
    usage: '[--since ISO]',
    summary: 'Prints the accepted uses of real-person mode as CSV, oldest first.',
    flags: { since: 'text' },
    read(flags) {
      const sinceMs = flags.moment('since') ?? 0;
      return async (deps) => {
        await exportRealPersonUses(deps, sinceMs, (text) => deps.print(text));
        return {};
      };
    },
    printsItself: true,
  },
  'staff enrol': {
    usage: '--account A [--new-password]',
    summary:
      'Makes the link by which a member of staff enrols a second factor, and chooses a password with --new-password: it works for an hour, once.',
    flags: { account: 'text', 'new-password': 'switch' },
    read(flags) {
      const accountId = flags.text('account');
      const setsPassword = flags.given('new-password');
      return async (deps) => ({
        account_id: accountId,
        enrolment_url: await deps.enrolmentLink(accountId, setsPassword),
      });
    },
  },
  'ledger verify': {
    usage: '[--account A]',
    summary: 'Checks all credits, or those of one account; exit status 1 when a promise is broken.',
    flags: { account: 'text' },
    read(flags) {
      const accountId = flags.has('account') ? flags.text('account') : null;
      return async (deps) => {
        const report = await verifyLedger(deps, accountId);
        const { accounts, generations, problems, problemsOmitted } = report;
        return {
          accounts,
          generations,
          problems,
          ...(problemsOmitted > 0 && { problems_omitted: problemsOmitted }),
        };
      };
    },
    isBad: ({ problems }) => Array.isArray(problems) && problems.length > 0,
  },
};
