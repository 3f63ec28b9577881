import { expect, test } from '@jest/globals';
import { DatabaseUnavailableError } from '../../ports/database.ts';
import { createEqualRequests } from './runIdempotently.ts';

test('a hundred equal requests wait; one more is answered like a database failure', async () => {
  const equalRequests = createEqualRequests();
  const first = Promise.withResolvers<string>();
  const asked = Array.from({ length: 101 }, () =>
    equalRequests.run('one scope', () => first.promise),
  );
  await expect(equalRequests.run('one scope', async () => 'x')).rejects.toBeInstanceOf(
    DatabaseUnavailableError,
  );
  first.resolve('a');
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['a']));
});
