import { expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { generationDocument } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import { workGeneration } from '../support/workWorld.ts';
import { useStudio } from './support/useStudio.ts';

const world = useStudio();

test('each of several images can become a first frame', async () => {
  const { gateway, visitor, accountId } = world();
  const { clock, collections } = gateway;
  const id = gateway.random.newId('gen');
  const nowMs = clock.now();
  const file = { extension: 'png', mediaType: 'image/png', bytes: 10, sha256: 'x' };
  const made = workGeneration(id, accountId, nowMs, {
    type: 'image',
    model: 'image-a-2',
    mode: null,
    parameters: { n: 2, resolution: '1k', aspect_ratio: '1:1', output_format: 'png', seed: 1 },
    status: 'completed',
    step: 'ended',
    endedAt: nowMs,
    outputsRemoveAt: nowMs + dayMs,
    outputs: ['left', 'right'].map((name) => ({ key: `outputs/${name}.png`, ...file })),
  });
  await collections.generations.insertOne(generationDocument(made));
  const page = await visitor.get(`/generations/${id}`);
  expect(page.text).toContain(`href="/studio?frame=${id}"`);
  const path = `/studio?frame=${id}.1`;
  expect(page.text).toContain(`href="${path}"`);
  const studio = await visitor.get(path);
  expect(studio.field('first_frame')).toContain(`${id}/1.png`);
  expect(studio.text).toContain(`own:${id}.1`);
  expect((await visitor.get(`/studio?frame=${id}.2`)).field('first_frame')).toBe('');
});
