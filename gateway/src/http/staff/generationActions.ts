import {
  failAndRefund,
  runNow,
  retryDownload,
  takeDown,
} from '../../application/staff/generationActions.ts';
import {
  adoptionHint,
  maxOperationLength,
  resolveUnknown,
} from '../../application/staff/resolveUnknown.ts';
import type { ConsoleAction } from './actionPages.ts';
import { parseInteger } from '../pages/form.ts';
import { formatNumber } from '../pages/html.ts';
import type { StaffConsole } from './layout.ts';

/** What staff can do about a generation. */
export function generationActions({ deps }: StaffConsole): ConsoleAction[] {
  return [
    {
      action: 'look now',
      slug: 'look-now',
      title: 'Look now',
      explains: 'Its job runs at once: it is started, or the provider is asked how far it is.',
      harmless: true,
      run: ({ targetId, actor }) => runNow(deps, targetId, actor.email),
    },
    {
      action: 'retry download',
      slug: 'retry-download',
      title: 'Retry the download now',
      explains:
        'The provider has made it, but its files could not be taken over yet. It is asked for their addresses again at once, and they are downloaded.',
      harmless: true,
      run: ({ targetId, actor }) => retryDownload(deps, targetId, actor.email),
    },
    {
      action: 'resolve unknown',
      slug: 'resolve-unknown',
      title: 'Resolve unknown outcome',
      explains:
        "Look in the provider's own console first. Found while it is not final: it goes on from there, once the provider confirms it. Not found: it fails and is refunded. Already final: it stays as it is; your finding is noted, and credits can be adjusted.",
      fields: [
        {
          name: 'found',
          label: 'What the provider says',
          kind: 'choice',
          options: [
            ['no', 'It never had it'],
            ['yes', 'It has it'],
          ],
        },
        {
          name: 'operation',
          label: "The provider's task id, or its operation as JSON (to go on from it)",
          kind: 'text',
          optional: true,
        },
        {
          name: 'adjustment',
          label: 'Credits to give, below zero to take (only when it is final)',
          kind: 'number',
          optional: true,
        },
      ],
      // What was entered is on record before the provider is asked with it.
      alsoAbout: (form) => {
        const operation = form.get('operation').trim().slice(0, maxOperationLength);
        return operation === '' ? [] : [operation];
      },
      hint: (generationId) => adoptionHint(deps, generationId),
      run: ({ targetId, form, reason, actor, reference }) =>
        resolveUnknown(deps, {
          reference,
          generationId: targetId,
          reason,
          by: actor.email,
          requestId: actor.requestId,
          found: form.get('found') === 'yes',
          operation: form.get('operation'),
          adjustment: form.get('adjustment') === '' ? 0 : parseInteger(form, 'adjustment'),
          role: actor.role,
        }),
    },
    {
      action: 'fail and refund',
      slug: 'fail-and-refund',
      title: 'Fail and refund',
      explains:
        'It ends as failed with generation_failed, and all its credits go back. What the provider still makes of it is lost.',
      final: true,
      button: ({ generation }) =>
        `Fail and refund ${formatNumber(generation?.costCredits ?? 0)} credits`,
      run: ({ targetId, reason, actor }) =>
        failAndRefund(deps, targetId, { by: actor.email, reason }),
    },
    {
      action: 'take down',
      slug: 'take-down',
      title: 'Take output down',
      explains:
        'Its files cannot be loaded from now on, and they are deleted. The charge stays: give goodwill credits where that is right.',
      final: true,
      button: ({ generation, account }) =>
        `Take ${generation?.outputs.length ?? 0} file(s) of ${account?.email ?? 'this account'} down`,
      run: ({ targetId, actor }) => takeDown(deps, targetId, actor.email),
    },
  ];
}
