import { video } from '../../support/bodies.ts';
import type { FakeArk } from '../../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const models = ['alpha-2.0-mini', 'alpha-2.0-fast', 'beta-3.0'] as const;

/** The number of ends, and the failed ones among them. */
const ends = 48;
const failing = [11, 30];
const lost = 37;

/** Ages of the unfinished ones, in seconds. */
const underWay = [20, 38, 29] as const;

/**
 * Makes generations that end and some that continue, then spreads their stored times over the last hour, as if
 * customers had sent them. Only times are changed.
 * @returns The end of that hour, in ms since the epoch.
 */
export async function fillAnHour(
  { collections }: TestGateway,
  customer: TestAccount,
  ark: FakeArk,
): Promise<number> {
  const { generations } = collections;
  const create = async (index: number, fate: string): Promise<string> => {
    const model = models[index % models.length];
    const prompt = `Number ${String(index)} ${fate}`;
    const { status, text, json } = await customer.post('/v1/videos', video({ model, prompt }));
    if (status !== 202) throw new Error(`creating answered ${String(status)}: ${text}`);
    return String(json['id']);
  };
  ark.script(
    { prompt: 'goes wrong', on: 'task', plan: { polls: 0, end: 'failed' } },
    { prompt: 'goes on', on: 'task', plan: { polls: 0, end: 'never' } },
    { prompt: 'is lost', on: 'submit', fault: { kind: 'drop' } },
  );
  const ended: string[] = [];
  for (let index = 0; index < ends; index += 1) {
    const fate = failing.includes(index) ? 'goes wrong' : index === lost ? 'is lost' : 'goes well';
    ended.push(await create(index, fate));
  }
  for (const id of ended) await customer.untilEnded(id);
  const open: string[] = [];
  for (const index of underWay.keys()) open.push(await create(index, 'goes on'));
  for (const _id of open) {
    await until(async () => (await generations.findOne({ _id }))?.['step'] === 'submitted');
  }
  const nowMs = Date.now();
  const at = (secondsAgo: number): Date => new Date(nowMs - 1000 * secondsAgo);
  for (const [index, _id] of ended.entries()) {
    // Spread without a visible pattern, and equal in each run.
    const endedAgo = 60 * ((index * index * 7 + index * 5) % 59) + 30;
    const took = 38 + ((index * 29) % 53) + 20 * (index % models.length);
    const times = { createdAt: at(endedAgo + took), endedAt: at(endedAgo) };
    await generations.updateOne({ _id }, { $set: times });
  }
  for (const [index, secondsAgo] of underWay.entries()) {
    await generations.updateOne(
      { _id: open[index] ?? '' },
      { $set: { createdAt: at(secondsAgo) } },
    );
  }
  return nowMs;
}
