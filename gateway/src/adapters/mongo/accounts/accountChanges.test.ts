import { expect, test } from '@jest/globals';
import { DatabaseUnavailableError } from '../../../application/ports/database.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { inLanguage, language } from '../../../texts/language.ts';
import { createAccountChanges } from './accountChanges.ts';

const account = { id: 'acct_1', version: 1, ledgerEntries: 0 } as Account;
const never = () => new Promise<never>(() => undefined);
const rename = (before: Account) => ({ after: { ...before, email: 'new' }, result: 'done' });

test('a decision waits for the read of its account no longer than its time limit', async () => {
  const change = createAccountChanges({ read: never, findNewest: never, commit: never });
  await expect(change('acct_1', rename, 20)).rejects.toThrow(DatabaseUnavailableError);
});

test('a decision waits behind one being written no longer than its time limit', async () => {
  const written = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  let commits = 0;
  const change = createAccountChanges({
    read: async () => account,
    findNewest: async () => account,
    commit: async () => {
      commits += 1;
      begun.resolve(undefined);
      await written.promise;
    },
  });
  const first = change('acct_1', rename, 20);
  await begun.promise;
  const second = change('acct_1', rename, 20);
  const others = await Promise.allSettled([second, change('acct_1', rename, 20)]);
  expect(others).toMatchObject([
    { status: 'rejected', reason: expect.any(DatabaseUnavailableError) },
    { status: 'rejected', reason: expect.any(DatabaseUnavailableError) },
  ]);
  // Its own write decides about the first one, however late.
  written.resolve(undefined);
  expect([await first, commits]).toEqual(['done', 1]);
});

test('a decision runs in the language of its request, even behind others', async () => {
  const change = createAccountChanges({
    read: async () => account,
    findNewest: async () => account,
    commit: async () => undefined,
  });
  const languages = (['en', 'de', 'en', 'de'] as const).map((each) =>
    inLanguage(each, () =>
      change('acct_1', (before) => ({ after: { ...before, email: each }, result: language() })),
    ),
  );
  expect(await Promise.all(languages)).toEqual(['en', 'de', 'en', 'de']);
});
