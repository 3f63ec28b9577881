import { expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import { useArkGateway } from '../support/useArkGateway.ts';

// The fake delivers a silent second at 320x180, whatever is ordered.
const world = useArkGateway({ provider: { delivery: 'refund' } });

test('a clip that is not what was sold is failed and refunded, and no longer sold after three', async () => {
  const { gateway } = world();
  const account = await gateway.addAccount({ credits: 100_000 });
  const model = 'alpha-2.0-pro';
  for (const prompt of ['one lake', 'two lakes', 'three lakes']) {
    const { json } = await account.post('/v1/videos', video({ model, prompt }));
    expect(await account.untilEnded(String(json['id']))).toMatchObject({
      status: 'failed',
      error: { code: 'generation_failed' },
      billing: { status: 'refunded' },
    });
  }
  const { status } = await account.post(
    '/v1/videos',
    video({ model, prompt: 'four lakes', parameters: { resolution: '720p' } }),
  );
  expect(status).toBe(400);
  await gateway.gateway.reloadRoutes();
  const again = await account.post(
    '/v1/videos',
    video({ model, prompt: 'five lakes', parameters: { resolution: '720p' } }),
  );
  expect(again.status).toBe(202);
});
