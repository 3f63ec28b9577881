import { beforeAll, describe, expect, test } from '@jest/globals';
import { arkProvider } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import type { TestAccount } from '../support/gateway.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';
import { type RoutedArk, useRoutedArk } from './useRoutedArk.ts';

const world = useRoutedArk((ark) => ({
  providers: { ark: arkProvider(ark) },
  models: { 'alpha-2.0-pro': [{ provider: 'ark', model: 'seedance', does: statedVideo }] },
}));
let { ark, gateway, account } = {} as RoutedArk;
beforeAll(() => {
  ({ ark, gateway, account } = world());
});

async function order(by: TestAccount, prompt: string): Promise<string> {
  const body = video({ model: 'alpha-2.0-pro', mode: 'text-to-video', prompt });
  return String((await by.post('/v1/videos', body)).json['id']);
}

describe('a provider that answers with another task', () => {
  test('gives no account the file of another', async () => {
    const other = await gateway.addAccount();
    ark.setHeld(true);
    const first = await order(account, 'a lake, first');
    await until(() => ark.accepted('a lake, first') === 1, 'the first is accepted');
    const response = {
      kind: 'json',
      status: 200,
      body: { id: ark.submitted().at(-1)?.taskId },
    } as const;
    ark.script({ on: 'submit', prompt: 'a lake, second', fault: response });
    const second = await order(other, 'a lake, second');
    const record = await other.untilEnded(second);
    expect(record).toMatchObject({
      status: 'failed',
      error: { code: 'generation_failed' },
      billing: { status: 'refunded' },
    });
    expect(JSON.stringify(record)).not.toContain('cgt-');
    ark.setHeld(false);
    expect(await account.untilEnded(first)).toMatchObject({
      status: 'completed',
      billing: { status: 'charged' },
    });
    // The task was neither ordered again nor cancelled.
    expect(ark.submitted().filter(({ prompt }) => prompt.includes('second'))).toHaveLength(1);
    const alerts = gateway.errors.filter((line) => line.includes('task_id_repeated'));
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toContain(first);
    expect(alerts[0]).toContain(second);
    gateway.errors.length = 0;
  });

  test('at a poll is asked again', async () => {
    const video_url = `${ark.origin}/media/cgt-of-another.mp4`;
    const body = { id: 'cgt-of-another', status: 'succeeded', content: { video_url } };
    const fault = { kind: 'json', status: 200, body } as const;
    ark.script({ on: 'poll', prompt: 'a lake, third', times: 2, fault });
    const id = await order(account, 'a lake, third');
    expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
    expect(gateway.errors).toEqual([]);
  });
});
