import type { Command } from './command.ts';

/** Commands for the staff of the console. */
export const staffCommands: Readonly<Record<string, Command>> = {
  'staff enrol': {
    usage: '--account A [--new-password]',
    summary:
      'Creates a one-time link where a staff member sets up two-factor authentication and, with --new-password, sets a new password; valid for one hour.',
    flags: { account: 'text', 'new-password': 'switch' },
    noted: 'around it',
    prepare(flags) {
      const accountId = flags.text('account');
      const setsPassword = flags.isOn('new-password');
      return async (deps) => ({
        account_id: accountId,
        enrolment_url: await deps.makeEnrolmentLink(accountId, setsPassword),
      });
    },
  },
};
