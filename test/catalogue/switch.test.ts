import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../gateway/src/config.ts';
import { type Gateway, startGateway } from '../../gateway/src/gateway.ts';
import { temporaryFolder } from '../security/temporaryFolder.ts';
import { freePort } from '../support/freePort.ts';
import {
  requests,
  startTestGateway,
  type TestAccount,
  type TestGateway,
  testTimings,
} from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';

/* Three processes, one of which gets another MODELS_FILE while all of them quote and sell. */

const timings = { ...testTimings, catalogueNoticeMs: 1_500 };
const folder = temporaryFolder();
const { log, lines } = collectLog();
let file: string;
let first: TestGateway;
let gateways: Pick<Gateway, 'url' | 'reloadRoutes' | 'stop'>[] = [];
let account: TestAccount;

const writePrice = (price: number) =>
  writeFile(
    file,
    JSON.stringify({ models: { 'image-b-2': { pricing: { credits: { '1k': price } } } } }),
  );
const clockOf = () => first.clock;
const versions = async () => first.collections.catalogues.find({}, { sort: { _id: 1 } }).toArray();

beforeAll(async () => {
  file = join(folder(), 'models.json');
  await writePrice(10);
  first = await startTestGateway({ ROLE: 'api', MODELS_FILE: file }, undefined, log, timings);
  gateways = [{ ...first, url: first.origin }];
  for (let i = 0; i < 2; i += 1) {
    const env = { ...first.env, PORT: String(await freePort()) };
    gateways.push(await startGateway(loadConfig(env), { log, timings }));
  }
  account = await first.addAccount({ credits: 1_000_000, limits: { running: 10_000 } });
});
afterAll(async () => {
  await Promise.all(gateways.slice(1).map((each) => each.stop()));
  await first.stop();
});

/** A process's price of one image, with the times before and after the response. */
async function told({ get }: Pick<TestAccount, 'get'>) {
  const before = clockOf().now();
  const { json } = await get('/v1/models');
  const models = json['data'] as {
    id: string;
    pricing: { credits: Record<string, number> };
    next_pricing: { starts_at: string; pricing: { credits: Record<string, number> } } | null;
  }[];
  const model = models.find(({ id }) => id === 'image-b-2');
  return {
    before,
    after: clockOf().now(),
    price: model?.pricing.credits['1k'],
    next: model?.next_pricing,
  };
}

describe('a price change', () => {
  test('is announced, and applies to quotes and charges of all processes from the same moment', async () => {
    const clients = gateways.map(({ url }) => requests(url ?? '', account.apiKey));
    const quotes: Awaited<ReturnType<typeof told>>[] = [];
    let isOver = false;
    const sell = async (client: (typeof clients)[number], index: number) => {
      try {
        for (let n = 0; !isOver; n += 1) {
          quotes.push(await told(client));
          const body = { model: 'image-b-2', prompt: `${index}/${n}` };
          const { status } = await client.post('/v1/images', body);
          expect(status).toBe(202);
        }
      } finally {
        // A failure ends the others, which would otherwise continue during the next tests.
        isOver = true;
      }
    };
    const selling = clients.flatMap((each, index) => [sell(each, index), sell(each, index + 10)]);
    await until(() => quotes.length > 30);
    await writePrice(13);
    expect(await gateways[1]?.reloadRoutes()).toEqual({ result: 'reloaded', problems: [] });
    const [, second] = await versions();
    const from = second?.from.getTime() ?? 0;
    expect(from).toBeGreaterThan(clockOf().now());
    await until(() => quotes.filter(({ before }) => before >= from).length > 60);
    isOver = true;
    await Promise.all(selling);

    const { generations } = first.collections;
    const made = await generations.find({ accountId: account.accountId }).toArray();
    const wrong = made.filter(({ createdAt, costCredits, catalogueVersion }) => {
      const isNew = createdAt.getTime() >= from;
      return costCredits !== (isNew ? 13 : 10) || catalogueVersion !== (isNew ? 2 : 1);
    });
    expect(wrong).toEqual([]);
    expect(new Set(made.map(({ costCredits }) => costCredits))).toEqual(new Set([10, 13]));
    const late = quotes.filter(({ before, price }) => before >= from && price !== 13);
    const early = quotes.filter(({ after, price }) => after < from && price !== 10);
    expect({ late, early }).toEqual({ late: [], early: [] });
    const announced = quotes.flatMap(({ next }) => (next ? [next] : []));
    expect(announced.length).toBeGreaterThan(0);
    for (const { starts_at, pricing } of announced) {
      expect([Date.parse(starts_at), pricing.credits['1k']]).toEqual([from, 13]);
    }
  });

  test('is not undone by a process that still has the former file', async () => {
    await writePrice(10);
    expect(await gateways[2]?.reloadRoutes()).toEqual({ result: 'unchanged', problems: [] });
    expect(await versions()).toHaveLength(2);
    expect(lines.join('\n')).toContain(
      'catalogue of MODELS_FILE matches an earlier version, and a newer one stays in effect',
    );
  });

  test('is not made from a bad file: all its problems are reported, and the last version stays', async () => {
    await writeFile(
      file,
      JSON.stringify({
        models: {
          'image-b-2': { pricing: { credits: { '1q': 1 } } },
          'image-a-2': { displayname: 'A' },
        },
      }),
    );
    const { result, problems } = (await gateways[0]?.reloadRoutes()) ?? {};
    expect(result).toBe('refused');
    expect(problems).toEqual([
      expect.stringMatching(
        /^models\.json:1: models\["image-a-2"\]\.displayname is not a known field/,
      ),
      expect.stringMatching(
        /^models\.json:1: models\["image-b-2"\]\.pricing\.credits\["1q"\] is not a resolution/,
      ),
    ]);
    expect(lines.join('\n')).toContain('MODELS_FILE was refused, and the models and prices stay');
    expect((await told(account)).price).toBe(13);
    expect(await versions()).toHaveLength(2);
  });
});
