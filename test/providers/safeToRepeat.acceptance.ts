import { beforeAll, describe, expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';

const world = useArkGateway({ ark: { honoursKeys: true }, route: { safeToRepeat: true } });
let { ark, gateway } = {} as ArkGateway;
beforeAll(() => {
  ({ ark, gateway } = world());
});

async function make(prompt: string): Promise<Record<string, unknown>> {
  const account = await gateway.addAccount({ credits: 30 });
  const { json } = await account.post('/v1/videos', video({ prompt }));
  return account.untilEnded(String(json['id']));
}

describe('a submission of unknown outcome on a route that is safe to repeat', () => {
  const lost = { kind: 'accept, then', fault: { kind: 'drop' } } as const;

  test('is requested again under the same reference, and made once', async () => {
    ark.script({ prompt: 'once', on: 'submit', times: 1, fault: lost });
    expect(await make('once')).toMatchObject({ status: 'completed' });
    expect(ark.accepted('once')).toBe(1);
  });

  test('is given up and refunded when its outcome stays unknown', async () => {
    ark.script({ prompt: 'never', on: 'submit', fault: { kind: 'drop' } });
    expect(await make('never')).toMatchObject({
      status: 'failed',
      billing: { status: 'refunded', refunded_credits: 30 },
    });
    expect(ark.submitted().filter(({ prompt }) => prompt === 'never')).toHaveLength(3);
    expect(ark.accepted('never')).toBe(0);
  });

  test('is not requested under the reference of another order', async () => {
    await make('one');
    await make('two');
    expect([ark.accepted('one'), ark.accepted('two')]).toEqual([1, 1]);
  });
});
