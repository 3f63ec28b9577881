import { expect } from '@jest/globals';
import { mailsTo } from '../../site/support/mailbox.ts';
import { enterConsole } from '../support/enrolInBrowser.ts';
import { startNamedGateway } from '../support/virtualPasskey.ts';
import { button, link, type Task } from './task.ts';
import { password } from '../../site/support/signUpVerified.ts';

const as = 'staff';

/** Tasks of operators. */
export const operatorTasks: readonly Task[] = [
  {
    name: 'See the jobs that failed, without those of upkeep',
    as,
    start: '/staff',
    max: 2,
    async run(hand) {
      await hand.click(link(hand, 'Jobs'));
      await hand.click(link(hand, 'failed ', false));
      const words = await hand.page.locator('main').innerText();
      expect(words).toContain('No jobs');
    },
  },
  {
    name: 'See cost and margin by route',
    as,
    start: '/staff',
    max: 1,
    async run(hand) {
      await hand.click(link(hand, 'Costs'));
      const words = await hand.page.locator('main').innerText();
      expect(words).toMatch(/margin[^]*Route[^]*ark upstream-model/);
    },
  },
  {
    name: 'Invite a customer, who signs up',
    as: 'stranger',
    start: '/',
    max: 3,
    async run(hand) {
      const gateway = await startNamedGateway({ ROLE: 'api', SIGN_UP: 'invite' });
      try {
        const email = 'guest@people.example';
        await enterConsole(hand.page, gateway, 'admin');
        await hand.click(link(hand, 'Invitations'));
        await hand.type('Emails, up to 20, one per line', email);
        await hand.click(button(hand, 'Send invitations'));
        await hand.page.getByText(`Invitation sent to ${email}.`).waitFor();
        await hand.page.context().clearCookies();
        const [mail] = await mailsTo(gateway.dataDir, email);
        const text = String(mail?.text).replaceAll(/=\r?\n/g, '');
        await hand.page.goto(gateway.origin + String(/\/confirm\/cfm_\w+/.exec(text)?.[0]));
        await hand.type('Code from the email', String(mail?.code));
        await hand.type('Choose a password', password);
        await hand.enter();
        await hand.page.getByText('Email address verified').waitFor();
      } finally {
        await hand.page.goto('about:blank');
        await gateway.stop();
      }
    },
  },
];
