import { expect, test } from '@jest/globals';
import { createKeyedQueue } from './idempotently.ts';
import { DatabaseUnavailable } from './ports/storeErrors.ts';

test('so many wait for one key at most; the next is refused, and other keys are free', async () => {
  const queue = createKeyedQueue(2);
  const first = Promise.withResolvers<string>();
  const order: string[] = [];
  const ask = (name: string) =>
    queue('one key', async (waited) => {
      order.push(`${name} ${waited ? 'waited' : 'at once'}`);
      return name === 'a' ? first.promise : name;
    });
  const asked = ['a', 'b', 'c'].map(ask);
  await expect(ask('d')).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await queue('another key', async () => 'x')).toBe('x');
  first.resolve('a');
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  expect(order).toEqual(['a at once', 'b waited', 'c waited']);
  expect(await ask('e')).toBe('e');
  expect(order.at(-1)).toBe('e at once');
});
