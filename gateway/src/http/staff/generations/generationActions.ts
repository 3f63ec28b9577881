import type { App } from '../../../application/app.ts';
import { deliverAnyway } from '../../../application/staff/deliverRefused.ts';
import {
  failAndRefund,
  retryDownload,
  runNow,
  takeDown,
} from '../../../application/staff/generationActions.ts';
import {
  loadAdoptionHint,
  maxOperationLength,
  resolveUnknown,
} from '../../../application/staff/resolveUnknown.ts';
import { refundRule } from '../../../domain/credits/refund.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { type Form, parseInteger } from '../../pages/form.ts';
import { formatCount, formatNumber } from '../../pages/html.ts';
import { addNote } from '../accounts/messageActions.ts';
import type { ConsoleAction } from '../actions/actionPages.ts';

/** Staff actions on a generation. */
export function generationActions(deps: App): ConsoleAction[] {
  return [
    {
      action: 'poll now',
      slug: 'poll-now',
      title: 'Check now',
      explains: 'Runs the job now: starts the generation, or polls the provider.',
      isHarmless: true,
      run: ({ targetId, actor }) => runNow(deps, targetId, actor.email),
    },
    {
      action: 'retry download',
      slug: 'retry-download',
      title: 'Retry download now',
      explains:
        'The provider has finished, but the files have not been stored yet. Gets fresh URLs and downloads them now.',
      isHarmless: true,
      run: ({ targetId, actor }) => retryDownload(deps, targetId, actor.email),
    },
    {
      action: 'resolve unknown',
      slug: 'resolve-unknown',
      title: 'Resolve unknown outcome',
      explains:
        "Check the provider's console first. If the task is not there, the generation fails and is refunded. If it is, it continues once the provider confirms it. If it is already final, only your finding is recorded.",
      fields: [
        {
          name: 'found',
          label: "In the provider's console",
          kind: 'choice',
          options: [
            ['no', 'Not found'],
            ['yes', 'Found'],
          ],
        },
        {
          name: 'operation',
          label: "The provider's task ID, or its operation as JSON (to continue from it)",
          kind: 'text',
          isOptional: true,
        },
        {
          name: 'adjustment',
          label: 'Credits to give, negative to deduct (only if final)',
          kind: 'number',
          isOptional: true,
        },
      ],
      // Records the typed operation before it is sent to the provider.
      alsoAbout: (form) => {
        const operation = form.get('operation').trim().slice(0, maxOperationLength);
        return operation === '' ? [] : [operation];
      },
      loadHint: (generationId) => loadAdoptionHint(deps, generationId),
      run: ({ targetId, form, reason, actor, reference }) =>
        resolveUnknown(deps, {
          reference,
          generationId: targetId,
          reason,
          by: actor.email,
          requestId: actor.requestId,
          isAtProvider: form.get('found') === 'yes',
          operation: form.get('operation'),
          adjustment: form.get('adjustment') === '' ? 0 : parseInteger(form, 'adjustment'),
          role: actor.role,
        }),
    },
    {
      action: 'fail and refund',
      slug: 'fail-and-refund',
      title: 'Fail and refund',
      explains: `The generation fails with generation_failed and is refunded ${refundRule.inWords}. Any later result from the provider is lost.`,
      isFinal: true,
      button: ({ generation }) =>
        generation
          ? `Fail and refund ${formatNumber(refundRule.creditsFor(generation.costCredits))} credits`
          : 'Fail and refund',
      run: ({ targetId, reason, actor }) =>
        failAndRefund(deps, targetId, { by: actor.email, reason }),
    },
    {
      action: 'take down',
      slug: 'take-down',
      title: 'Take down output',
      explains:
        'The files become unavailable immediately and are deleted. The charge stays: give goodwill credits if appropriate.',
      isFinal: true,
      button: ({ generation, account }) =>
        `Take down ${formatCount(generation?.outputs.length ?? 0, 'file')} of ${account?.email ?? 'this account'}`,
      run: ({ targetId, actor }) => takeDown(deps, targetId, actor.email),
    },
    {
      action: 'deliver refused result',
      slug: 'deliver-anyway',
      title: 'Deliver anyway',
      explains:
        'The stored files are stripped of metadata, marked as AI-generated and delivered as a new generation in the account. This one stays failed and refunded. Charge only what the customer agreed to.',
      fields: [
        {
          name: 'charge',
          label: 'Charge',
          kind: 'choice',
          options: [
            ['no', 'Without charge'],
            ['yes', 'Charge credits, agreed with the customer'],
          ],
        },
        { name: 'credits', label: 'Credits to charge', kind: 'number', isOptional: true },
      ],
      run: ({ targetId, form, actor }) =>
        deliverAnyway(deps, {
          generationId: targetId,
          credits: chargeOf(form),
          actor,
          requestId: actor.requestId,
        }),
    },
    addNote,
  ];
}

/**
 * The credits to charge for a delivery.
 * @throws Refusal `charge_missing`, `charge_credits_missing`, `number_invalid`.
 */
function chargeOf(form: Form): number {
  const isGiven = form.get('credits').trim() !== '';
  if (form.get('charge') !== 'yes') {
    if (!isGiven) return 0;
    throw new Refusal('charge_missing');
  }
  const credits = isGiven ? parseInteger(form, 'credits') : 0;
  if (credits > 0) return credits;
  throw new Refusal('charge_credits_missing');
}
