import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GrowthWorld, openGrowthWorld } from '../../growth/growthWorld.ts';
import { measureReads } from './measureReads.ts';
import { countBytes, loadAs, measuredPages, type SignedIn } from './pages.ts';
import { signInEverybody } from './pagesWorld.ts';

let world: GrowthWorld;
let people: Awaited<ReturnType<typeof signInEverybody>>;
beforeAll(async () => {
  const size = { generations: 2_010, accounts: 2, largest: 2_000 };
  world = await openGrowthWorld(size, { upkeepEveryMs: 600_000 });
  people = await signInEverybody(world.gateway, 1);
});
afterAll(async () => {
  await world.stop();
  expect(world.gateway.errors).toEqual([]);
});

test('a page at 2,000 generations sends and examines no more than its row allows', async () => {
  const over: unknown[] = [];
  for (const page of measuredPages) {
    const [person] = people[page.by];
    const load = () => loadAs(world.gateway.origin, page, person as SignedIn);
    const { statements, documents, keys, found } = await measureReads(world.gateway, load);
    const { max } = page;
    const isOver = statements > max.statements || documents > max.documents || keys > max.keys;
    const asked = found.map(({ collection, op, plan }) => `${collection} ${op} ${plan}`);
    if (isOver) over.push({ page: page.name, statements, documents, keys, asked });
  }
  expect(over).toEqual([]);
});

/** Bytes of any page in the costliest coding: less than a second on a line of 50 kB/s, with all that it loads. */
const maxBytes = 20_000;

test('no page with 2,000 results is larger than 20 kB on the wire', async () => {
  const over: unknown[] = [];
  for (const page of measuredPages) {
    const [person] = people[page.by];
    const sizeIn = (encoding: string) =>
      countBytes(world.gateway.origin, page, person as SignedIn, encoding);
    const [gzip, brotli] = [await sizeIn('gzip'), await sizeIn('br')];
    if (Math.max(gzip, brotli) > maxBytes) over.push({ page: page.name, gzip, brotli });
  }
  expect(over).toEqual([]);
});
