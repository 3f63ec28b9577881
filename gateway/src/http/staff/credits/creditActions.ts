import type { App } from '../../../application/app.ts';
import { declineCredits } from '../../../application/credits/creditRequests.ts';
import { grantCredits } from '../../../application/credits/grantCredits.ts';
import { giveGoodwill } from '../../../application/staff/accountActions.ts';
import { adjustCredits } from '../../../application/staff/adjustCredits.ts';
import { moveCredits } from '../../../application/staff/secondPerson.ts';
import { lotKinds } from '../../../domain/credits/credits.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { parseEndOfDay, parseInteger } from '../../pages/form.ts';
import type { ActionField, ConsoleAction } from '../actions/actionPages.ts';

const amountField: ActionField = { name: 'amount', label: 'Credits', kind: 'number' };
const approvalNote = 'Large amounts and large daily totals need a second admin.';

/** Staff actions on an account's credits. */
export function creditActions(deps: App): ConsoleAction[] {
  return [
    {
      action: 'goodwill credits',
      slug: 'goodwill',
      title: 'Give goodwill credits',
      explains:
        'Promotional credits that expire in a year. Support can give up to 1,000 per action, within the daily limit set by the operator.',
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
      explains: `Adds the credits to the lot of this type and expiry, or as a new one. ${approvalNote}`,
      proposes: true,
      fields: [
        amountField,
        {
          name: 'kind',
          label: 'Type',
          kind: 'choice',
          options: lotKinds.map((kind) => [kind, kind]),
        },
        { name: 'expires', label: 'Expires at the end of (UTC)', kind: 'date', isOptional: true },
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
    // A grant closes the request by itself.
    {
      action: 'decline credits',
      slug: 'decline-credits',
      title: 'Decline the request for credits',
      explains:
        'Closes the request. The customer sees that it was declined, and can ask again from the day after the request (UTC).',
      async run({ targetId }) {
        if (await declineCredits(deps, targetId)) return 'The request for credits was declined.';
        throw new Refusal('credit_request_not_open');
      },
    },
  ];
}
