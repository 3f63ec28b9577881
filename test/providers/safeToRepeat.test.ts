import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arkRoutes } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let folder: string;
let ark: FakeArk;
let gateway: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-routes-'));
  ark = await startFakeArk({ honoursKeys: true });
  gateway = await startTestGateway(await arkRoutes(folder, ark, {}, { safeToRepeat: true }));
});
afterAll(async () => {
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

async function make(prompt: string): Promise<Record<string, unknown>> {
  const account = await gateway.addAccount({ credits: 30 });
  const { json } = await account.post('/v1/videos', video({ prompt }));
  return account.untilEnded(String(json['id']));
}

describe('a submission of unknown outcome on a route that is safe to repeat', () => {
  const lost = { kind: 'accept, then', fault: { kind: 'drop' } } as const;

  test('is asked for again by the same reference, and made once', async () => {
    ark.script({ prompt: 'once', on: 'submit', times: 1, fault: lost });
    expect(await make('once')).toMatchObject({ status: 'completed' });
    expect(ark.accepted('once')).toBe(1);
  });

  test('is given up and refunded when it never becomes known', async () => {
    ark.script({ prompt: 'never', on: 'submit', fault: { kind: 'drop' } });
    expect(await make('never')).toMatchObject({
      status: 'failed',
      billing: { status: 'refunded', refunded_credits: 30 },
    });
    expect(ark.submitted().filter(({ prompt }) => prompt === 'never')).toHaveLength(3);
    expect(ark.accepted('never')).toBe(0);
  });

  test('is not asked for by the reference of another', async () => {
    await make('one');
    await make('two');
    expect([ark.accepted('one'), ark.accepted('two')]).toEqual([1, 1]);
  });
});
