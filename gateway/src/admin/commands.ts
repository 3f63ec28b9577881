import { approveHost, createKey, revokeKey } from '../application/accounts/keys.ts';
import { exportRealPersonUses } from '../application/accounts/accounts.ts';
import { maxGrantCredits } from '../application/accounts/grantCredits.ts';
import { verifyLedger } from '../application/accounts/verifyLedger.ts';
import { takeDown } from '../application/staff/generationActions.ts';
import { accountCommands } from './accountCommands.ts';
import { databaseCommands } from './databaseCommands.ts';
import { routeCommands } from './routeCommands.ts';
import { isoTime, type ApartCommand, type Command } from './command.ts';
import { grantCommand } from './grantCommand.ts';

/** Every command, by its two words, in the order of the usage and docs/operating.md. */
export const commands: Readonly<Record<string, Command | ApartCommand>> = {
  ...accountCommands,
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
        dailyCredits: flags.whole('daily-credits', 1, maxGrantCredits),
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
      return async (deps) => ({ key_id: keyId, revoked_at: isoTime(await revokeKey(deps, keyId)) });
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
    readsOnly: true,
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
  ...routeCommands,
  'ledger verify': {
    usage: '[--account A]',
    summary: 'Checks all credits, or those of one account; exit status 1 when a promise is broken.',
    flags: { account: 'text' },
    readsOnly: true,
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
  ...databaseCommands,
};
