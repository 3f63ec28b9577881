import { approveHost, revokeKey } from '../../application/accounts/keys.ts';
import { removeFactor } from '../../application/site/secondFactorSettings.ts';
import { grantCredits } from '../../application/accounts/grantCredits.ts';
import { setAccountStatus, setLimits } from '../../application/accounts/accounts.ts';
import {
  eraseAccount,
  giveGoodwill,
  endSiteSessions,
  refuseHost,
} from '../../application/staff/accountActions.ts';
import { adjustCredits } from '../../application/staff/adjustCredits.ts';
import { moveCredits, NeedsSecondPerson } from '../../application/staff/secondPerson.ts';
import { lotKinds } from '../../domain/credits.ts';
import { limitRules, type Limits } from '../../domain/account.ts';
import { parseEndOfDay, parseInteger, parseLimit, type Form } from '../pages/form.ts';
import type { ActionField, ConsoleAction } from './actionPages.ts';
import type { StaffConsole } from './layout.ts';
import { PlainRefusal } from '../../domain/refusal.ts';

const amountField: ActionField = { name: 'amount', label: 'Credits', kind: 'number' };
const key: ActionField = { name: 'key', label: 'Key id', kind: 'text' };
const host: ActionField = { name: 'host', label: 'Host, or *.suffix', kind: 'text' };
const muchWaits =
  'A large one, or one that makes the sum of a day large, waits for a second admin.';
const aboutKey = (form: Form) => [form.get('key').slice(0, 60)];

/** What staff can do about an account. */
export function accountActions(console: StaffConsole): ConsoleAction[] {
  return [...creditActions(console), ...keyActions(console), ...ownerActions(console)];
}

function creditActions({ deps }: StaffConsole): ConsoleAction[] {
  const { work } = deps;
  return [
    {
      action: 'goodwill credits',
      slug: 'goodwill',
      title: 'Give goodwill credits',
      explains:
        'Promotional credits for a year. Support may give up to 1,000 at once, and so many a day as the operator has set.',
      fields: [amountField],
      run: ({ targetId: accountId, form, reason, actor, reference }) =>
        giveGoodwill(deps, {
          accountId,
          reason,
          reference,
          by: actor,
          amount: parseInteger(form, 'amount'),
        }),
    },
    {
      action: 'grant credits',
      slug: 'grant',
      title: 'Grant credits',
      explains: `Opens a lot of credits. ${muchWaits}`,
      proposes: true,
      fields: [
        amountField,
        { name: 'kind', label: 'Kind', kind: 'choice', options: lotKinds.map((of) => [of, of]) },
        { name: 'expires', label: 'Good until the end of (UTC)', kind: 'date', optional: true },
      ],
      async run({ targetId: accountId, form, reason, actor, reference, confirms }) {
        const kind = lotKinds.find((each) => each === form.get('kind')) ?? 'promotional';
        const amountCredits = parseInteger(form, 'amount');
        const expiresAt = parseEndOfDay(form, 'expires');
        const grant = { accountId, amountCredits, kind, expiresAt, reason, reference };
        const move = { by: actor, accountId, amount: amountCredits, confirms };
        const lot = await moveCredits(deps, move, () => grantCredits(work, grant));
        return `${amountCredits} ${kind} credits were granted as ${lot.id}.`;
      },
    },
    {
      action: 'adjust credits',
      slug: 'adjust',
      title: 'Adjust credits',
      explains: `Corrects the balance: a number below zero takes, never more than there is. ${muchWaits}`,
      proposes: true,
      fields: [amountField],
      async run({ targetId: accountId, form, reason, actor, reference, confirms }) {
        const { requestId } = actor;
        const change = { accountId, reason, generationId: null, requestId, reference };
        const amount = parseInteger(form, 'amount');
        const move = { by: actor, accountId, amount, confirms };
        await moveCredits(deps, move, () => adjustCredits(work, { ...change, amount }));
        return `The balance was adjusted by ${amount} credits.`;
      },
    },
  ];
}

function keyActions({ deps }: StaffConsole): ConsoleAction[] {
  const { database } = deps.work;
  const requireOwn = async (accountId: string, keyId: string): Promise<string> => {
    const account = await database.accounts.find(accountId);
    if (account?.keys.some(({ id }) => id === keyId)) return keyId;
    throw new PlainRefusal(`The account has no key ${keyId}.`);
  };
  return [
    {
      action: 'approve host',
      slug: 'approve-host',
      title: 'Approve host',
      explains: 'Inputs of this host work for the key from now on.',
      fields: [key, host],
      alsoAbout: aboutKey,
      async run({ targetId, form }) {
        const keyId = await requireOwn(targetId, form.get('key'));
        const rule = await approveHost(deps.work, { keyId, host: form.get('host') });
        return `${rule} is approved for ${keyId}.`;
      },
    },
    {
      action: 'refuse host',
      slug: 'refuse-host',
      title: 'Refuse host',
      explains: 'Inputs of this host do not work for the key; an approval is taken back.',
      fields: [key, host],
      alsoAbout: aboutKey,
      async run({ targetId, form }) {
        const keyId = await requireOwn(targetId, form.get('key'));
        return refuseHost(deps, { keyId, host: form.get('host') });
      },
    },
    {
      action: 'revoke key',
      slug: 'revoke-key',
      title: 'Revoke key',
      explains: 'The key stops working within five seconds, for good.',
      fields: [key],
      final: true,
      button: ({ key: found }) =>
        found ? `Revoke ${found.name} …${found.lastFour}` : 'Revoke key',
      alsoAbout: aboutKey,
      async run({ targetId, form }) {
        const keyId = await requireOwn(targetId, form.get('key'));
        await revokeKey(deps.work, keyId);
        return `${keyId} is revoked.`;
      },
    },
  ];
}

function ownerActions({ deps }: StaffConsole): ConsoleAction[] {
  const { database } = deps.work;
  return [
    {
      action: 'change limits',
      slug: 'limits',
      title: 'Change limits',
      explains: 'Limits of this account alone; what is left empty stays as it is.',
      fields: limitRules.map(({ limit, label }) => ({
        name: limit,
        label,
        kind: 'number',
        optional: true,
      })),
      async run({ targetId: accountId, form }) {
        const given = limitRules.flatMap(({ limit, min }) => {
          const value = parseLimit(form, limit, min);
          return value === undefined ? [] : [[limit, value] as const];
        });
        if (given.length === 0) throw new PlainRefusal('No limit was given.');
        const limits: Partial<Limits> = Object.fromEntries(given);
        await setLimits(deps.work, { accountId, limits });
        return `Changed: ${given.map(([name, value]) => `${name} ${value}`).join(', ')}.`;
      },
    },
    {
      action: 'end sessions',
      slug: 'end-sessions',
      title: 'End all sessions',
      explains:
        'Every browser in which the customer is signed in to the site is signed out. Password and API keys go on working: keys are revoked apart.',
      run: ({ targetId }) => endSiteSessions(deps.site, targetId),
    },
    {
      action: 'remove second factor',
      slug: 'remove-second-factor',
      title: 'Remove second factor',
      explains:
        'For a customer who has lost the app and the recovery codes: signing in takes the password alone from then on. First make sure who asks, by more than their mailbox, and write down how. The customer is told by mail.',
      run: ({ targetId }) => removeFactor(deps.site, targetId),
    },
    {
      action: 'suspend account',
      slug: 'suspend',
      title: 'Suspend account',
      explains:
        'It can create nothing new. What runs goes on to its end; everything stays readable.',
      async run({ targetId: accountId }) {
        await setAccountStatus({ database }, { accountId, status: 'suspended' });
        return 'Suspended.';
      },
    },
    {
      action: 'resume account',
      slug: 'resume',
      title: 'Resume account',
      explains: 'A suspended account can create again.',
      async run({ targetId: accountId }) {
        await setAccountStatus({ database }, { accountId, status: 'active' });
        return 'Active again.';
      },
    },
    {
      action: 'erase account',
      slug: 'erase',
      title: 'Erase account',
      explains:
        'Removes the person: address, password, keys, hosts, prompts, inputs and files. The ledger stays under the account id. What its generations hold goes in the background; the page of the account shows how far it is. Unfinished generations must have ended. A second admin confirms it.',
      proposes: true,
      fields: [{ name: 'confirm', label: 'Type the account id to confirm', kind: 'text' }],
      final: true,
      button: ({ account }) => `Erase ${account?.email ?? 'account'}`,
      async run({ targetId, form, confirms }) {
        if (form.get('confirm').trim() !== targetId) {
          throw new PlainRefusal('What you typed is not the account id: nothing was erased.');
        }
        if (confirms === null) throw new NeedsSecondPerson();
        return eraseAccount(deps, targetId);
      },
    },
  ];
}
