import type { App } from '../../../application/app.ts';
import { requireHostRule } from '../../../application/keys/keyHosts.ts';
import { approveHost, revokeKey } from '../../../application/keys/keys.ts';
import { notifyOfHost, notifyOfRevokedKey } from '../../../application/mails/notices.ts';
import { refuseHost } from '../../../application/staff/accountActions.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { type Form } from '../../pages/form.ts';
import type { ActionField, ConsoleAction } from '../actions/actionPages.ts';

const key: ActionField = { name: 'key', label: 'Key ID', kind: 'text' };
const hostField: ActionField = { name: 'host', label: 'Host, or *.suffix', kind: 'text' };
const aboutKey = (form: Form) => [form.get('key').slice(0, 60)];

/** Staff actions on an account's API keys and their input hosts. */
export function keyActions(deps: App): ConsoleAction[] {
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
      fields: [key, hostField],
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
      explains: 'The key cannot use inputs from this host. Revokes an existing approval.',
      fields: [key, hostField],
      alsoAbout: aboutKey,
      async run({ targetId, form }) {
        const keyId = await requireOwn(targetId, form.get('key'));
        const host = form.get('host');
        const summary = await refuseHost(deps, { keyId, host });
        await notifyOfHost(deps, { keyId, rule: requireHostRule(host), isApproved: false });
        return summary;
      },
    },
    {
      action: 'revoke key',
      slug: 'revoke-key',
      title: 'Revoke key',
      explains: 'The key permanently stops working within five seconds.',
      fields: [key],
      isFinal: true,
      button: ({ key: subject }) =>
        subject ? `Revoke ${subject.name} …${subject.lastFour}` : 'Revoke key',
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
