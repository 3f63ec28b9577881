import { expect, test } from '@jest/globals';
import { offeredOn } from '../support/offered.ts';
import { useConsole } from './consoleWorld.ts';
import { runningVideo } from './staffFixtures.ts';

const world = useConsole();

test.each(['viewer', 'support'] as const)(
  'no page offers a %s a link or a form that returns 403',
  async (role) => {
    const { gateway, ark } = world();
    const browser = world()[role];
    const account = await gateway.addAccount({ hosts: ['a.example.com'] });
    const running = await runningVideo({ gateway, ark }, account, `offered to ${role}`);
    const pages = new Set([
      `/staff/generations/${running}`,
      `/staff/accounts/${account.accountId}`,
      '/staff',
    ]);
    const forms = new Map<string, string>();
    const refused: string[] = [];
    // The set grows with the links, many of which are similar in each list.
    for (const path of pages) {
      const { html, status } = await browser.get(path);
      if (status === 403) refused.push(path);
      const offered = offeredOn(html);
      const isNew = (each: string) =>
        /^\/staff(\/|$)/.test(each) && !/\/(jobs\/|accounts|generations)/.test(each);
      const isHere = (each: string) => each.startsWith(`${path}/`);
      for (const link of offered.links.map((each) => each.replace(/[?#].*/, ''))) {
        if (pages.size < 30 && (isNew(link) || isHere(link))) pages.add(link);
      }
      for (const form of offered.forms) forms.set(form, path);
    }
    for (const [form, on] of forms) {
      if (form.includes('/sign-out')) continue;
      const { status } = await browser.send(form, {});
      if (status === 403) refused.push(`${on} posts to ${form}`);
    }
    expect(refused).toEqual([]);
    expect([pages.size > 10, forms.size > 3]).toEqual([true, true]);
  },
);
