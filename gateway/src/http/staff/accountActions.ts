import { requireHostRule } from '../../application/accounts/keyHosts.ts';
import { approveHost, revokeKey } from '../../application/accounts/keys.ts';
import { declineCredits } from '../../application/site/creditRequests.ts';
import { withdrawErasureRequest } from '../../application/site/erasureRequest.ts';
import { notifyOfHost, notifyOfRevokedKey } from '../../application/site/notices.ts';
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
import { moveCredits, secondAdminNeeded } from '../../application/staff/secondPerson.ts';
import { lotKinds } from '../../domain/credits/credits.ts';
import { limitRules, type Limits } from '../../domain/accounts/limits.ts';
import { parseEndOfDay, parseInteger, parseLimit, type Form } from '../pages/form.ts';
import type { ActionField, ConsoleAction } from './actionPages.ts';
import type { StaffConsole } from './layout.ts';
import { wordActions } from './wordActions.ts';
import { Refusal } from '../../domain/refusal.ts';

const amountField: ActionField = { name: 'amount', label: 'Credits', kind: 'number' };
const key: ActionField = { name: 'key', label: 'Key ID', kind: 'text' };
const host: ActionField = { name: 'host', label: 'Host, or *.suffix', kind: 'text' };
const approvalNote = 'Large amounts and large daily totals need a second admin.';
const aboutKey = (form: Form) => [form.get('key').slice(0, 60)];

/** Staff actions on an account. */
export function accountActions(console: StaffConsole): ConsoleAction[] {
  return [
    ...creditActions(console),
    declineAction(console),
    ...keyActions(console),
    ...wordActions(console),
    ...ownerActions(console),
  ];
}

function creditActions({ deps }: StaffConsole): ConsoleAction[] {
  return [
    {
      action: 'goodwill credits',
      slug: 'goodwill',
      title: 'Give goodwill credits',
      explains:
        'Promotional credits that expire in a year. Support can give up to 1,000 at once, within the daily limit set by the operator.',
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
      explains: `Adds the credits as a lot of their own type and expiry. ${approvalNote}`,
      proposes: true,
      fields: [
        amountField,
        { name: 'kind', label: 'Type', kind: 'choice', options: lotKinds.map((of) => [of, of]) },
        { name: 'expires', label: 'Expires at the end of (UTC)', kind: 'date', optional: true },
      ],
      async run({ targetId: accountId, form, reason, actor, reference, confirms }) {
        const kind = lotKinds.find((each) => each === form.get('kind')) ?? 'promotional';
        const amountCredits = parseInteger(form, 'amount');
        const expiresAt = parseEndOfDay(form, 'expires');
        const { requestId } = actor;
        const grant = { accountId, amountCredits, kind, expiresAt, reason, reference, requestId };
        const move = { by: actor, accountId, amount: amountCredits, confirms };
        const lot = await moveCredits(deps, move, () => grantCredits(deps, grant));
        return `${amountCredits} ${kind} credits granted as ${lot.id}.`;
      },
    },
    {
      action: 'adjust credits',
      slug: 'adjust',
      title: 'Adjust credits',
      explains: `Corrects the balance. Use a negative number to deduct credits, up to the available balance. ${approvalNote}`,
      proposes: true,
      fields: [amountField],
      async run({ targetId: accountId, form, reason, actor, reference, confirms }) {
        const { requestId } = actor;
        const change = { accountId, reason, generationId: null, requestId, reference };
        const amount = parseInteger(form, 'amount');
        const move = { by: actor, accountId, amount, confirms };
        await moveCredits(deps, move, () => adjustCredits(deps, { ...change, amount }));
        return `Balance adjusted by ${amount} credits.`;
      },
    },
  ];
}

/** The action that closes a request for credits; a grant does so by itself. */
function declineAction({ deps }: StaffConsole): ConsoleAction {
  return {
    action: 'decline credits',
    slug: 'decline-credits',
    title: 'Decline the request for credits',
    explains:
      'Closes the request. The customer sees that it was declined, and can ask again on the next day (UTC).',
    async run({ targetId }) {
      if (await declineCredits(deps, targetId)) return 'The request for credits was declined.';
      throw new Refusal('credit_request_not_open');
    },
  };
}

function keyActions({ deps }: StaffConsole): ConsoleAction[] {
  const { database } = deps;
  const requireOwn = async (accountId: string, keyId: string): Promise<string> => {
    const account = await database.accounts.find(accountId);
    if (account?.keys.some(({ id }) => id === keyId)) return keyId;
    throw new Refusal('key_not_found');
  };
  return [
    {
      action: 'approve host',
      slug: 'approve-host',
      title: 'Approve host',
      explains: 'The key can use inputs from this host right away.',
      fields: [key, host],
      alsoAbout: aboutKey,
      async run({ targetId, form }) {
        const keyId = await requireOwn(targetId, form.get('key'));
        const rule = await approveHost(deps, { keyId, host: form.get('host') });
        await notifyOfHost(deps, { keyId, rule, isApproved: true });
        return `${rule} is approved for ${keyId}.`;
      },
    },
    {
      action: 'refuse host',
      slug: 'refuse-host',
      title: 'Refuse host',
      explains: "The key can't use inputs from this host. Revokes an existing approval.",
      fields: [key, host],
      alsoAbout: aboutKey,
      async run({ targetId, form }) {
        const keyId = await requireOwn(targetId, form.get('key'));
        const host = form.get('host');
        const said = await refuseHost(deps, { keyId, host });
        await notifyOfHost(deps, { keyId, rule: requireHostRule(host), isApproved: false });
        return said;
      },
    },
    {
      action: 'revoke key',
      slug: 'revoke-key',
      title: 'Revoke key',
      explains: 'The key permanently stops working within five seconds.',
      fields: [key],
      final: true,
      button: ({ key: found }) =>
        found ? `Revoke ${found.name} …${found.lastFour}` : 'Revoke key',
      alsoAbout: aboutKey,
      async run({ targetId, form }) {
        const keyId = await requireOwn(targetId, form.get('key'));
        await revokeKey(deps, keyId);
        await notifyOfRevokedKey(deps, keyId);
        return `${keyId} revoked.`;
      },
    },
  ];
}

function ownerActions({ deps }: StaffConsole): ConsoleAction[] {
  const { database, clock } = deps;
  return [
    {
      action: 'change limits',
      slug: 'limits',
      title: 'Change limits',
      explains: "Applies to this account only. Empty fields don't change.",
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
        if (given.length === 0) throw new Refusal('limit_missing');
        const limits: Partial<Limits> = Object.fromEntries(given);
        await setLimits(deps, { accountId, limits });
        return `Changed: ${given.map(([name, value]) => `${name} ${value}`).join(', ')}.`;
      },
    },
    {
      action: 'end sessions',
      slug: 'end-sessions',
      title: 'End all sessions',
      explains:
        'Signs the customer out of the site in all browsers. The password and API keys keep working; revoke keys separately.',
      run: ({ targetId }) => endSiteSessions(deps, targetId),
    },
    {
      action: 'remove second factor',
      slug: 'remove-second-factor',
      title: 'Remove two-factor authentication',
      explains:
        'For a customer who has lost the app and the recovery codes. After this, the password alone is enough to sign in. First verify their identity by more than email, and record how. The customer is notified by email.',
      run: ({ targetId }) => removeFactor(deps, targetId),
    },
    {
      action: 'suspend account',
      slug: 'suspend',
      title: 'Suspend account',
      explains:
        "The account can't create anything. Running generations continue. Its sessions end; the customer can sign in again to view.",
      async run({ targetId: accountId }) {
        await setAccountStatus({ database }, { accountId, status: 'suspended' });
        return 'Suspended.';
      },
    },
    {
      action: 'resume account',
      slug: 'resume',
      title: 'Resume account',
      explains: 'The account can create generations again.',
      async run({ targetId: accountId }) {
        await setAccountStatus({ database }, { accountId, status: 'active' });
        return 'Active again.';
      },
    },
    {
      action: 'withdraw erasure',
      slug: 'withdraw-erasure',
      title: 'Cancel erasure',
      explains:
        "Cancels an erasure that the customer or an operator key asked for and that hasn't started.",
      async run({ targetId }) {
        if (await withdrawErasureRequest({ database, clock }, targetId))
          return 'Erasure cancelled.';
        throw new Refusal('erasure_not_waiting');
      },
    },
    {
      action: 'erase account',
      slug: 'erase',
      title: 'Erase account',
      explains:
        'Removes the person: email, password, keys, hosts, prompts, inputs and files. The ledger stays under the account ID. Generation content is removed in the background; the account page shows the progress. All generations must have ended. A second admin must approve.',
      proposes: true,
      fields: [{ name: 'confirm', label: 'Type the account ID to confirm', kind: 'text' }],
      final: true,
      button: ({ account }) => `Erase ${account?.email ?? 'account'}`,
      async run({ targetId, form, confirms }) {
        if (form.get('confirm').trim() !== targetId) throw new Refusal('account_id_not_typed');
        if (confirms === null) throw secondAdminNeeded();
        return eraseAccount(deps, targetId);
      },
    },
  ];
}
