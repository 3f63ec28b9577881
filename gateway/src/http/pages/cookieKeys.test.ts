import { expect, test } from '@jest/globals';
import { cookieKeys } from './cookieKeys.ts';

test('cookies are signed with the first secret, and accepted with any', () => {
  const [older, newer] = [{ secret: 'o'.repeat(32) }, { secret: 'n'.repeat(32) }];
  const [before, after] = [cookieKeys([older]), cookieKeys([newer, older])];
  const data = 'fg_session=value';
  expect([after.index(data, after.sign(data)), after.index(data, before.sign(data))]).toEqual([
    0, 1,
  ]);
  expect(before.verify(data, before.sign(data))).toBe(true);
  for (const forged of [after.sign(data), before.sign('fg_session=other'), '']) {
    expect([before.index(data, forged), before.verify(data, forged)]).toEqual([-1, false]);
  }
});
