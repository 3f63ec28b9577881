import { describe, expect, test } from '@jest/globals';
import type { Mail, MailKind, MailValues } from '../../application/ports/mails.ts';
import { builtInBrand } from '../../domain/brand/brand.ts';
import { createMailComposer } from './composeMail.ts';
import { mailTable } from './mailTable.ts';

const compose = createMailComposer({
  accountUrl: 'https://site.example',
  consoleUrl: 'https://console.example',
  support: null,
  brand: builtInBrand,
});

/** Values for every kind of email; each kind takes those that it names. */
const values = {
  code: '1234 5678',
  confirmationId: 'cfm_1',
  at: 0,
  day: 0,
  address: '192.0.2.1',
  browser: 'Firefox/1 Linux',
  name: 'n8n',
  lastFour: 'abcd',
  rule: '*.a.example',
  keyId: 'key_1',
  id: 'gen_1',
  title: 'A quiet place',
  credits: 3,
  limit: 5,
  left: 2,
  finished: 2,
  failed: 1,
  rest: 0,
  count: 2,
  note: '',
  email: 'eva@example.com',
  by: 'ada@example.com',
  team: { teamName: 'Films', email: 'ada@example.com' },
  role: 'editor',
  accountId: 'acct_1',
  token: 'a1b2',
  action: 'grant credits',
  named: [{ title: 'A quiet place', status: 'failed' }],
} as const;
const mailOf = <Kind extends MailKind>(kind: Kind, more: Partial<MailValues[Kind]> = {}) =>
  ({ to: 'eva@example.com', kind, values: { ...values, ...more } }) as unknown as Mail;

describe('emails', () => {
  test.each(Object.keys(mailTable) as MailKind[])('%s has words in each language', (kind) => {
    const [english, german] = (['en', 'de'] as const).map((language) =>
      compose({ ...mailOf(kind), language }),
    );
    for (const mail of [english, german]) {
      expect(`${mail?.subject} ${mail?.text} ${mail?.link}`).not.toMatch(
        /[{}]|undefined|null|\[object|mails\.\w/,
      );
      expect(mail?.text).not.toMatch(/^\n|\n{3}/);
      expect(mail?.link).not.toMatch(/1234|a1b2/);
    }
    expect(german?.subject).not.toBe(english?.subject);
    expect(german?.link).toBe(english?.link);
  });

  test('open the page that their row names, on the site or the console', () => {
    const { link, text } = compose(mailOf('teamInviteNew'));
    expect(link).toBe('https://site.example/settings/join');
    expect(text).toContain(
      'https://site.example/confirm/cfm_1?next=%2Fsettings%2Fjoin%2Facct_1%2Fa1b2',
    );
    expect(text).toContain('https://site.example/settings/join/acct_1/a1b2');
    expect(text).toContain('team Films (ada@example.com),\nwith the role “editor”');
    expect(compose(mailOf('moveAsked')).link).toBe('https://console.example/staff/proposals');
  });

  test('omit paragraphs without words, and name a sign-in site only if it is known', () => {
    const { text } = compose(mailOf('keyExposed', { note: 'Ticket 4711.' }));
    expect(text).toContain('Ticket 4711.');
    expect(compose(mailOf('ends', { rest: 4 })).text).toContain('And 4 more.');
    expect(compose(mailOf('ends', { failed: 0 })).subject).toBe('2 generations finished');
    expect(compose(mailOf('ends', { finished: 0 })).subject).toBe(
      '1 generation failed and refunded',
    );
    expect(compose(mailOf('wayLinked', { name: null })).text).toContain('at another site can');
  });
});
