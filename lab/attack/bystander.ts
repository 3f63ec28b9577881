import { minuteMs, quantile } from '@framegate/contract';
import type { FaultAccount, FaultWorld } from '../../test/faults/faultWorld.ts';
import { image, imageInput } from '../../test/support/bodies.ts';
import { createShot, type LoadRequest, type LoadResult, runPaced } from '../bench/load.ts';
import { uploadForm } from './sockets.ts';

/** Service of a customer unrelated to an attack, in one phase of it. Times in ms. */
export interface BystanderService {
  read: LoadResult;
  create: LoadResult;
  /** From a create request to its end, for images of an input whose provider takes 300 ms. */
  result: { p50: number; p99: number; failed: number };
  /** Small pictures uploaded to the studio, if the attack targets it. */
  upload?: LoadResult;
}

/** A picture that the bystander uploads to the studio, in base64, and its session cookie. */
export interface Uploads {
  cookie: string;
  picture: string;
}

/** Longest wait for the bystander's orders, in ms. */
const endedWithinMs = 2 * minuteMs;

const readsPerSecond = 50;
const createsPerSecond = 5;
/** An account may upload sixty an hour. */
const uploadsPerSecond = 1;

/** Reads and creates at a steady pace for `forMs`, then waits until everything has ended. */
export async function watchBystander(
  { mongo, inputs }: FaultWorld,
  origin: string,
  { accountId, apiKey }: FaultAccount,
  forMs: number,
  uploads: Uploads | null = null,
): Promise<BystanderService> {
  const since = new Date(Date.now());
  const read = (): LoadRequest => ({
    method: 'GET',
    path: '/v1/credits/balance',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const picture = image({
    model: 'image-a-2',
    prompt: 'A bystander [takes 300 ms]',
    inputs: [imageInput(inputs.url('bystander.png', 'steady'))],
    parameters: { n: 1 },
  });
  const create = () => createShot(apiKey, '/v1/images', picture);
  const form =
    uploads &&
    (await uploadForm({ origins: { gateway: origin } }, uploads.cookie, uploads.picture));
  const upload = (): LoadRequest => ({ method: 'POST', path: '/studio', headers: {}, ...form });
  const [reads, creates, uploaded] = await Promise.all([
    runPaced({ origin, perSecond: readsPerSecond, forMs, next: read }),
    runPaced({ origin, perSecond: createsPerSecond, forMs, next: create }),
    form && runPaced({ origin, perSecond: uploadsPerSecond, forMs, next: upload }),
  ]);
  const { generations } = mongo.collections;
  const mine = { accountId, createdAt: { $gte: since } };
  const until = performance.now() + endedWithinMs;
  while ((await generations.countDocuments({ ...mine, open: true })) > 0) {
    if (performance.now() > until) throw new Error('work of the bystander did not end');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const ended = await generations.find(mine).toArray();
  const tookMs = ended.map(({ createdAt, endedAt }) => Number(endedAt) - Number(createdAt));
  return {
    read: reads,
    create: creates,
    ...(uploaded && { upload: uploaded }),
    result: {
      p50: quantile(tookMs, 0.5),
      p99: quantile(tookMs, 0.99),
      failed: ended.filter(({ status }) => status === 'failed').length,
    },
  };
}
