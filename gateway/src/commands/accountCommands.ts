import { maxLimit } from '@framegate/contract';
import { limitRules, type Limits, namedLimits } from '../domain/accounts/limits.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { normaliseEmail } from '../domain/signIn/email.ts';
import { staffRoles } from '../domain/staff/staffRights.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command, CommandApp } from './command.ts';
import { type Flags, UsageError } from './flags.ts';
import { printedPlan } from './planCommands.ts';

/**
 * `account create`. `ps` and npm's logs show passwords given on the command line, so it is read from standard input or
 * chosen by its owner.
 */
const createCommand: Command = {
  usage:
    '--email E [--external-id X] [--password-stdin] [--verified] [--staff viewer|support|admin]',
  summary:
    'Creates an account. Its owner sets the password at the printed URL, unless you pass --password-stdin (or --password P, which other local users can see).',
  flags: {
    email: 'text',
    'external-id': 'text',
    'password-stdin': 'switch',
    password: 'text',
    verified: 'switch',
    staff: 'text',
  },
  noted: 'with its change',
  prepare(flags) {
    const readPassword = passwordReader(flags);
    const command = {
      email: flags.text('email'),
      externalId: parseExternalId(flags),
      isVerified: flags.isOn('verified'),
      staffRole: flags.choice('staff', staffRoles) ?? null,
    };
    return async (deps) => {
      const { createAccount } = await import('../application/accounts/createAccount.ts');
      const password = await readPassword(deps);
      const { id, staffRole } = await createAccount(deps, { ...command, password });
      if (password !== null) return { account_id: id };
      if (staffRole === null) return { account_id: id, password_url: deps.forgottenPasswordUrl };
      return { account_id: id, enrolment_url: await deps.makeEnrolmentLink(id, true) };
    };
  },
};

function parseExternalId(flags: Flags): string | null {
  if (!flags.has('external-id')) return null;
  const id = flags.text('external-id');
  if (/^[!-~]{1,128}$/.test(id)) return id;
  throw new UsageError('--external-id must be 1 to 128 visible ASCII characters without spaces.');
}

/** @throws UsageError if given twice. */
function passwordReader(flags: Flags): (deps: CommandApp) => Promise<string | null> {
  const isPiped = flags.isOn('password-stdin');
  if (flags.has('password')) {
    if (isPiped) throw new UsageError('Use either --password or --password-stdin, not both.');
    const typed = flags.text('password');
    return async () => typed;
  }
  if (!isPiped) return async () => null;
  return async (deps) => {
    const line = await deps.readLine();
    if (line === '') throw new CommandError('No password was found on standard input.');
    return line;
  };
}

/** The flag of a limit, from its name. */
const flagOf = (name: string) => name.replaceAll('_', '-');

/** The limits set by flags. @throws UsageError for an invalid number. */
function parseLimits(flags: Flags): Partial<Limits> {
  const limits: Partial<Limits> = {};
  for (const { limit, name, min } of limitRules) {
    const value = flags.wholeNumber(flagOf(name), min, maxLimit);
    if (value !== undefined) limits[limit] = value;
  }
  return limits;
}

function statusCommand(status: 'active' | 'suspended', summary: string): Command {
  return {
    usage: '--account A',
    summary,
    flags: { account: 'text' },
    noted: 'with its change',
    prepare(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        const { setAccountStatus } = await import('../application/accounts/accounts.ts');
        await setAccountStatus(deps, { accountId, status });
        return { account_id: accountId, status };
      };
    },
  };
}

/** Commands for accounts. */
export const accountCommands: Readonly<Record<string, Command>> = {
  'account create': createCommand,
  'account invite': {
    usage: '--email E',
    summary: 'Creates a sign-up link for an email address, valid for one week; for SIGN_UP=invite.',
    flags: { email: 'text' },
    noted: 'around it',
    prepare(flags) {
      const email = normaliseEmail(flags.text('email'));
      if (email === null) throw new UsageError('--email must be an email address.');
      return async (deps) => {
        const { url, until } = await deps.invite(email);
        return { sign_up_url: url, expires_at: isoTimeOrNull(until) };
      };
    },
  },
  'account show': {
    usage: '--account A',
    summary: "Shows an account's status, credits, limits, lots and plan.",
    flags: { account: 'text' },
    isReadOnly: true,
    prepare(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        const { showAccount } = await import('../application/accounts/accounts.ts');
        const account = await showAccount(deps, accountId);
        return {
          account_id: account.id,
          status: account.status,
          available: account.available,
          in_flight: account.inFlight,
          limits: namedLimits(account.limits),
          lots: account.lots.map((lot) => ({
            lot_id: lot.id,
            kind: lot.kind,
            amount: lot.amount,
            remaining: lot.remaining,
            expires_at: isoTimeOrNull(lot.expiresAt),
          })),
          plan: account.plan && printedPlan(account.plan),
        };
      };
    },
  },
  'account limits': {
    usage: `--account A ${limitRules.map(({ name }) => `[--${flagOf(name)} N]`).join(' ')}`,
    summary: "Changes an account's limits; limits that are omitted stay unchanged.",
    flags: {
      account: 'text',
      ...Object.fromEntries(limitRules.map(({ name }) => [flagOf(name), 'text'] as const)),
    },
    noted: 'with its change',
    prepare(flags) {
      const accountId = flags.text('account');
      const limits = parseLimits(flags);
      return async (deps) => {
        const { setAccountLimits } = await import('../application/accounts/accounts.ts');
        const set = await setAccountLimits(deps, { accountId, limits });
        return { account_id: accountId, limits: namedLimits(set) };
      };
    },
  },
  'account group': {
    usage: '--account A (--group G | --none)',
    summary:
      'Assigns an account to a group from MODELS_FILE or ROUTES_FILE, with its prices and routes, or removes it from its group.',
    flags: { account: 'text', group: 'text', none: 'switch' },
    noted: 'with its change',
    prepare(flags) {
      const accountId = flags.text('account');
      if (flags.has('group') === flags.isOn('none')) {
        throw new UsageError('Use either --group G or --none.');
      }
      const group = flags.isOn('none') ? null : flags.text('group');
      return async (deps) => {
        const { setAccountGroup } = await import('../application/accounts/accounts.ts');
        const [newest] = await deps.catalogues.listPage(null, 1);
        const groups = [...new Set([...Object.keys(newest?.groups ?? {}), ...deps.routeGroups()])];
        if (group !== null && !groups.includes(group)) {
          const choices =
            groups.length === 0
              ? 'No groups are defined'
              : `Available groups: ${groups.join(', ')}`;
          throw new CommandError(`Group "${group}" does not exist. ${choices}.`);
        }
        await setAccountGroup(deps, { accountId, group });
        return { account_id: accountId, group };
      };
    },
  },
  'account suspend': statusCommand('suspended', 'Stops an account from creating generations.'),
  'account resume': statusCommand('active', 'Lets a suspended account create generations again.'),
  'account erase': {
    usage: '--account A',
    summary:
      "Permanently deletes an account's email address, password, keys, prompts and files; its ledger is kept under its ID.",
    flags: { account: 'text' },
    noted: 'with its change',
    prepare(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        const { finishErasure } = await import('../application/staff/accountActions.ts');
        const result = await deps.runRemoving((removal) =>
          finishErasure(removal, accountId, deps.report),
        );
        return { account_id: accountId, result };
      };
    },
  },
};
