/* Makes a video, images, a failure and a refusal with the client that was generated. */
import { createImage, createVideo, getGeneration, listModels } from './client/index.js';
import { client } from './client/client.gen.js';
import type { Generation, Model } from './client/index.js';

const { FRAMEGATE_URL: baseUrl = '', FRAMEGATE_KEY: apiKey = '' } = process.env;
client.setConfig({ baseUrl, auth: apiKey });

/** Polls until a generation has ended; the hints are for real services. */
async function ended(generation: Generation): Promise<Generation> {
  if (generation.status !== 'queued' && generation.status !== 'processing') return generation;
  const hint: number = generation.retry_after_seconds;
  await new Promise((resolve) => setTimeout(resolve, Math.min(hint * 1000, 200)));
  const { data } = await getGeneration({ path: { id: generation.id }, throwOnError: true });
  return ended(data);
}

async function video(prompt: string): Promise<Generation> {
  const { data } = await createVideo({
    headers: { 'Idempotency-Key': `typescript-${prompt.replaceAll(' ', '-')}` },
    body: {
      model: 'alpha-2.0-fast',
      mode: 'text-to-video',
      prompt,
      parameters: { resolution: '480p' },
    },
    throwOnError: true,
  });
  return ended(data);
}

const bytes = async (url: string) => (await (await fetch(url)).arrayBuffer()).byteLength;

const { data: models } = await listModels({ throwOnError: true });
const [first, last] = [models.data.at(0), models.data.at(-1)] as [Model, Model];
const { data: created } = await createImage({
  headers: { 'Idempotency-Key': 'typescript-image' },
  body: { model: 'image-b-2', prompt: 'A lighthouse' },
  throwOnError: true,
});
const [made, failed, images] = [
  await video('A paper boat'),
  await video('It shall fail'),
  await ended(created),
];
const { error: refused } = await getGeneration({ path: { id: 'gen_none' } });

// Each is told by its discriminators; without them the fields below are no fields of the type.
if (made.type !== 'video' || made.status !== 'completed') throw new Error('no video');
if (images.type !== 'image' || images.status !== 'completed') throw new Error('no images');
if (failed.status !== 'failed') throw new Error('no failure');
console.log(
  JSON.stringify({
    video: (await bytes(made.output.video_url ?? '')) > 1000,
    seconds: made.parameters.duration_seconds,
    image: (await bytes(images.output.image_urls[0] ?? '')) > 1000,
    format: images.parameters.output_format,
    failed: failed.error.code,
    refunded: failed.billing.refunded_credits,
    refused: refused?.error.code,
    per_second: first.pricing.per === 'second' && first.pricing.credits['720p'],
    per_image: last.pricing.per === 'image' && last.pricing.credits['2k'],
  }),
);
