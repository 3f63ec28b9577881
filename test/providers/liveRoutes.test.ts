import { expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { OpenRoutes } from '../../gateway/providers/src/createRoutes.ts';
import { createLiveRoutes } from '../../gateway/providers/src/liveRoutes.ts';
import { routesOf, routeTo } from '../support/workWorld.ts';

test('replaced routes get no new orders, and are found by their earlier ones', async () => {
  const closed: string[] = [];
  const keyed = (keys: string[]) => ({ keys, knowsKey: (key: string) => keys.includes(key) });
  const open = (name: string, keys: string[]): OpenRoutes => ({
    ...routesOf({ m: [name, 'both'].map((each) => routeTo(each, keyed(keys))) }),
    plansOf: () => [],
    close: async () => void closed.push(name),
  });
  const live = createLiveRoutes(open('old', ['ONE', 'TWO']), minuteMs);
  live.replace(open('new', ['TWO']));
  expect(live.forModel('m').map(({ provider }) => provider)).toEqual(['new', 'both']);
  expect(live.providers().map(({ provider }) => provider)).toEqual(['new', 'both']);
  expect(live.find('old', 'up')?.provider).toBe('old');
  // The new route, unless only the old one has the key that ordered it.
  expect(live.find('both', 'up', 'TWO')?.keys).toEqual(['TWO']);
  expect(live.find('both', 'up', 'ONE')?.keys).toEqual(['ONE', 'TWO']);
  expect(live.find('both', 'up', 'GONE')?.keys).toEqual(['TWO']);
  expect(live.find('never', 'up')).toBeNull();
  expect(closed).toEqual([]);
  await live.close();
  expect(closed.toSorted()).toEqual(['new', 'old']);
});
