import { beforeAll, expect, test } from '@jest/globals';
import { loadSource } from './support/loadSource.ts';

let noteCreated: (context: object, id: string, itemIndex: number) => void;
beforeAll(async () => {
  ({ noteCreated } = await loadSource<{ noteCreated: typeof noteCreated }>(
    'nodes/Framegate/actions/noteCreated.ts',
  ));
});

const idOf = (index: number) => `gen_${String(index).padStart(26, '0')}`;

test('the newest 32 ids stay with the execution, in values that n8n does not truncate', () => {
  const kept = new Map<string, string>([['order', '42']]);
  const customData = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: string) => kept.set(key, value),
  };
  const context = {
    logger: { info: () => undefined },
    getWorkflowDataProxy: () => ({ $execution: { customData } }),
  };
  const ids = Array.from({ length: 50 }, (_, index) => idOf(index));
  for (const [index, id] of ids.entries()) noteCreated(context, id, index);
  const { order, ...ours } = Object.fromEntries(kept);
  expect(order).toBe('42');
  expect(Object.values(ours).join(' ').split(' ')).toEqual(ids.slice(-32));
  expect(Object.values(ours).filter((value) => value.length > 255)).toEqual([]);
});

test('without custom data the log alone has the id, and nothing goes wrong', () => {
  const logged: string[] = [];
  const context = {
    logger: { info: (said: string) => logged.push(said) },
    getWorkflowDataProxy: () => ({ $execution: { customData: undefined } }),
  };
  noteCreated(context, idOf(1), 0);
  expect(logged.join()).toContain(idOf(1));
});
