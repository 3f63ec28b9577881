import { expect, test } from '@jest/globals';
import { showProgress } from '../../../integrations/typescript/src/cli/progress.ts';
import { Framegate, type WaitProgress } from '../../../integrations/typescript/src/node/index.ts';
import { until } from '../../support/until.ts';
import { generation, generationId } from '../support/wildResponses.ts';

const apiKey = `fg_live_${'a1B2'.repeat(9)}zz`;
const baseUrl = 'https://api.example.com/v1';

/** Waits for a video whose service answers at these seconds after its creation. */
async function waitFor(polls: readonly number[], models: object = { object: 'list', data: [] }) {
  const seen: WaitProgress[] = [];
  const updates: (number | undefined)[] = [];
  let reads = 0;
  const left = [...polls];
  async function fetch(url: string): Promise<Response> {
    if (url.endsWith('/models')) {
      reads += 1;
      return Response.json(models);
    }
    const seconds = left.shift() ?? 0;
    const status = left.length === 0 ? 'completed' : 'processing';
    const at = new Date(Date.parse('2026-11-20T09:30:00.000Z') + 1000 * seconds);
    const headers = { date: at.toUTCString() };
    return Response.json(generation(status, { retry_after_seconds: 1 }), { headers });
  }
  const platform = { fetch, sleep: () => Promise.resolve() };
  const framegate = new Framegate({ baseUrl, apiKey, platform });
  await framegate.generations.wait(generationId, {
    onUpdate: (_, { share }) => updates.push(share),
    onProgress: (each) => seen.push(each),
  });
  return { seen, updates, reads };
}

test('reports the share of the usual time that has passed', async () => {
  const data = [{ id: 'alpha-2.0-fast', typical_seconds: 60 }];
  const { seen, updates, reads } = await waitFor([0, 15, 30, 90, 60], { object: 'list', data });
  expect(seen.map(({ share }) => share)).toEqual([0, 0.25, 0.5, 0.95, 1]);
  expect(seen.map(({ elapsedSeconds }) => elapsedSeconds)).toEqual([0, 15, 30, 90, 60]);
  expect(new Set(seen.map(({ usualSeconds }) => usualSeconds))).toEqual(new Set([60]));
  // The first update precedes the usual time.
  expect(updates).toEqual([undefined, 0.25, 0.5, 0.95, 1]);
  expect(reads).toBe(1);
});

test.each([
  ['a model that is in no list', { object: 'list', data: [] }],
  ['a list that cannot be read', { error: 'none' }],
])('without a usual time there is no share: %s', async (_, models) => {
  const { seen } = await waitFor([0, 15, 60], models);
  expect(seen.map(({ share }) => share)).toEqual([undefined, undefined, 1]);
});

test('reports its place among the queued generations that the client awaits', async () => {
  const ids = [1, 2, 3].map((number) => generationId.slice(0, -1) + String(number));
  const states = new Map(ids.map((id) => [id, 'queued']));
  let asleep: (() => void)[] = [];
  async function fetch(url: string): Promise<Response> {
    const id = url.split('/').at(-1) ?? '';
    const created_at = `2026-11-20T09:30:0${id.at(-1) ?? ''}.000Z`;
    return Response.json(generation(states.get(id) ?? '', { id, created_at }));
  }
  const sleep = () => new Promise<void>((resolve) => asleep.push(resolve));
  const framegate = new Framegate({ baseUrl, apiKey, platform: { fetch, sleep } });
  const places = new Map<string, number | undefined>();
  const waits = ids.map((id) =>
    framegate.generations.wait(id, {
      onUpdate: (_, { position }) => places.set(id, position),
    }),
  );
  /** Polls each twice: the others' places are only known after their first poll. */
  async function positionsAfterPolls() {
    for (let polls = 0; polls < 2; polls += 1) {
      await until(() => asleep.length === ids.length, 'all have looked');
      const sleepers = asleep;
      asleep = [];
      for (const wake of sleepers) wake();
    }
    await until(() => asleep.length === ids.length, 'all have looked again');
    return ids.map((id) => places.get(id));
  }
  expect(await positionsAfterPolls()).toEqual([1, 2, 3]);
  states.set(ids[0] ?? '', 'processing');
  expect(await positionsAfterPolls()).toEqual([undefined, 1, 2]);
  for (const id of ids) states.set(id, 'completed');
  for (const wake of asleep) wake();
  await Promise.all(waits);
  expect(ids.map((id) => places.get(id))).toEqual([undefined, undefined, undefined]);
});

const reached = (status: string, seconds: number, position?: number) => ({
  generation: generation(status) as unknown as WaitProgress['generation'],
  elapsedSeconds: seconds,
  usualSeconds: 60,
  share: seconds / 60,
  position,
});

function shown(isTTY: boolean, isTold: boolean): string {
  let text = '';
  const output = { isTTY, write: (more: string) => (text += more) };
  const progress = showProgress(output, { now: () => 5000, isTold });
  for (const seconds of [0, 15, 30]) progress.update(reached('processing', seconds));
  progress.end();
  return text;
}

test('is a temporary bar on a terminal', () => {
  const drawn = `\r[############------------] processing ${generationId}, 30 s, usually 60 s`;
  expect(shown(true, false)).toContain(drawn);
  expect(shown(true, false).endsWith('\r\u001b[K')).toBe(true);
});

test('shows the place of a queued generation', () => {
  let text = '';
  const output = { isTTY: true, write: (more: string) => (text += more) };
  const progress = showProgress(output, { now: () => 5000, isTold: false });
  progress.update(reached('queued', 0, 3));
  progress.end();
  expect(text).toContain(`] queued ${generationId}, number 3 in line, 0 s`);
});

test('is a line for each state elsewhere, unless JSON lines report them', () => {
  expect(shown(false, false)).toBe(`processing ${generationId}\n`);
  expect(shown(false, true)).toBe('');
});
