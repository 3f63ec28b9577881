import { setAccountLimits, setAccountStatus } from '../../../application/accounts/accounts.ts';
import { withdrawErasureRequest } from '../../../application/accounts/erasureRequest.ts';
import type { App } from '../../../application/app.ts';
import { removeFactor } from '../../../application/signIn/secondFactorSettings.ts';
import { endSiteSessions, eraseAccount } from '../../../application/staff/accountActions.ts';
import { secondAdminRefusal } from '../../../application/staff/secondPerson.ts';
import { limitRules, type Limits } from '../../../domain/accounts/limits.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { parseLimit } from '../../pages/form.ts';
import type { ConsoleAction } from '../actions/actionPages.ts';
import { creditActions } from '../credits/creditActions.ts';
import { keyActions } from './keyActions.ts';
import { messageActions } from './messageActions.ts';

/** Staff actions on an account. */
export function accountActions(deps: App): ConsoleAction[] {
  return [
    ...creditActions(deps),
    ...keyActions(deps),
    ...messageActions(deps),
    ...ownerActions(deps),
  ];
}

function ownerActions(deps: App): ConsoleAction[] {
  const { database, clock } = deps;
  return [
    {
      action: 'change limits',
      slug: 'limits',
      title: 'Change limits',
      explains: 'Applies to this account only. Empty fields do not change.',
      fields: limitRules.map(({ limit, label }) => ({
        name: limit,
        label,
        kind: 'number',
        isOptional: true,
      })),
      async run({ targetId: accountId, form }) {
        const changes = limitRules.flatMap(({ limit, min }) => {
          const value = parseLimit(form, limit, min);
          return value === undefined ? [] : [[limit, value] as const];
        });
        if (changes.length === 0) throw new Refusal('limit_missing');
        const limits: Partial<Limits> = Object.fromEntries(changes);
        await setAccountLimits(deps, { accountId, limits });
        return `Changed: ${changes.map(([name, value]) => `${name} ${value}`).join(', ')}.`;
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
        'The account cannot create anything. Running generations continue. Its sessions end; the customer can sign in again to view.',
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
      title: 'Withdraw erasure',
      explains:
        'Withdraws an erasure requested by the customer or with an operator key, before it starts.',
      async run({ targetId }) {
        if (await withdrawErasureRequest({ database, clock }, targetId)) {
          return 'Erasure withdrawn.';
        }
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
      isFinal: true,
      button: ({ account }) => `Erase ${account?.email ?? 'account'}`,
      async run({ targetId, form, confirms }) {
        if (form.get('confirm').trim() !== targetId) throw new Refusal('account_id_wrong');
        if (confirms === null) throw secondAdminRefusal();
        return eraseAccount(deps, targetId);
      },
    },
  ];
}
