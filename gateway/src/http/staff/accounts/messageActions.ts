import type { App } from '../../../application/app.ts';
import { customerMails, sendMailToCustomer } from '../../../application/staff/customerMails.ts';
import { text } from '../../../texts/text.ts';
import type { ConsoleAction } from '../actions/actionPages.ts';

/** A note that changes nothing: its text is the reason, which the audit log keeps. */
export const addNote: ConsoleAction = {
  action: 'add note',
  slug: 'note',
  title: 'Add a note',
  explains:
    'A note for other staff, in the audit log below. It is permanent, even after an erasure: leave out names, addresses and prompts.',
  run: () => Promise.resolve('Note added.'),
};

/** Staff actions that only send a message: to the customer, or to other staff. */
export function messageActions(deps: App): ConsoleAction[] {
  return [
    {
      action: 'mail customer',
      slug: 'mail',
      title: 'Email',
      explains: "Sends one of these emails to the account's address.",
      fields: [
        {
          name: 'template',
          label: 'Email',
          kind: 'choice',
          options: customerMails.map((kind) => [kind, text(`mails.${kind}Subject`)] as const),
        },
        { name: 'own', label: 'Your own paragraph (optional)', kind: 'lines', isOptional: true },
      ],
      run: ({ targetId, form }) =>
        sendMailToCustomer(deps, targetId, {
          template: form.get('template'),
          own: form.get('own'),
        }),
    },
    addNote,
  ];
}
