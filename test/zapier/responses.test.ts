import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Fault, faults, isRawError } from '../support/strangeResponses.ts';
import { made, noon } from './support/playedRuns.ts';
import { type SimulatedWorld, simulateZapier } from './support/simulatedZapier.ts';

/* Proxies, maintenance pages and cut connections between Zapier and the API: nothing is paid twice or lost. */

/** Disturbs responses after the API has done its work. */
function disturb({ api }: SimulatedWorld, plan: (Fault | undefined)[]): void {
  const respond = api.respond.bind(api);
  const left = [...plan];
  api.respond = (request, nowMs) => {
    const true_ = respond(request, nowMs) as { status: number; data: unknown };
    const fault = left.shift();
    if (fault === undefined) return true_;
    if (fault.status === 0) throw Object.assign(new Error('cut'), { name: 'FetchError' });
    return { ...true_, status: fault.status, data: fault.body(true_.data) };
  };
}

const page: Fault = { status: 200, body: () => '<html>Down for maintenance</html>' };

test('a page in place of a create or a poll is waited out as an outage', async () => {
  const world = simulateZapier();
  // Ten faults in a row outlast the repeat inside the step.
  disturb(world, [
    ...Array.from({ length: 4 }, () => page),
    undefined,
    undefined,
    page,
    page,
    page,
  ]);
  const [outcome] = await world.play([{ atMs: noon }]);
  expect(outcome?.error).toBeUndefined();
  expect(outcome?.id).toBe(world.api.generations[0]?.id);
  expect(made(world)).toBe(1);
});

test('whatever comes back, from the first request on, an error names the id or the key', async () => {
  const plan = fc.array(fc.option(faults, { nil: undefined }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(plan, fc.boolean(), async (each, hasCache) => {
      const world = simulateZapier();
      world.hasCache = hasCache;
      disturb(world, each);
      const [outcome] = await world.play([{ atMs: noon }]);
      expect(made(world)).toBeLessThanOrEqual(1);
      const { message = '' } = outcome?.error ?? {};
      expect(isRawError(message)).toBe(false);
      const [{ id, key } = { id: '', key: '' }] = world.api.generations;
      const told = `${outcome?.id} ${message}`;
      expect([id, key].filter((part) => told.includes(part))).not.toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('whatever comes back, one is made, and a known id stays', async () => {
  const plan = fc.array(fc.option(faults, { nil: undefined }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(plan, async (each) => {
      const world = simulateZapier();
      // The create request is answered, so that its id is known.
      disturb(world, [undefined, undefined, undefined, ...each]);
      const [outcome] = await world.play([{ atMs: noon }]);
      expect(made(world)).toBe(1);
      const { message = '' } = outcome?.error ?? {};
      expect(isRawError(message)).toBe(false);
      expect(`${outcome?.id} ${message}`).toContain(world.api.generations[0]?.id);
    }),
    { numRuns: 200 },
  );
});
