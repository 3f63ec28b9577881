import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSlots } from '@framegate/limits';
import { createGuessLimiter, maxGuesses } from '../../gateway/src/application/authenticate.ts';
import type { AttemptStore } from '../../gateway/src/application/ports/site.ts';
import {
  attemptLimits,
  countAttempt,
  TooManyAttemptsRefusal,
} from '../../gateway/src/application/signIn/attempts.ts';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { countedGroups } from '../../gateway/src/domain/network/addresses.ts';
import { holdBackMs, maxRefusedPerSecond } from '../../gateway/src/http/middleware/everyRequest.ts';
import { startTestServer, type TestServer } from '../http/startTestServer.ts';
import { collectLog } from '../support/mongod.ts';

/*
 * The attack: someone has an IPv6 /48, as providers hand them out, and so 65,536 address groups. Each has
 * the limits of one caller; the network has ten times as much.
 */

const clock = { now: () => 0 };
const groupsOfNetwork = 14;

/** A store of counts in memory, whose windows do not end. */
function countingStore(): AttemptStore {
  const counts = new Map<string, number>();
  return {
    count: async (name: string) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { count, endsAt: 60_000 };
    },
    clear: async (name: string) => void counts.delete(name),
  };
}

/** A host somewhere in a /64 of a /48. */
interface Slot {
  network: number;
  subnet: number;
  host: number;
}
const addressOf = ({ network, subnet, host }: Slot) =>
  `2001:db8:${network.toString(16)}:${subnet.toString(16)}::${host.toString(16)}`;

/** Runs of tries, each from one slot. */
const tries = (most: number) =>
  fc.array(
    fc.record({
      network: fc.integer({ min: 0, max: 1 }),
      subnet: fc.integer({ min: 0, max: groupsOfNetwork - 1 }),
      host: fc.integer({ min: 1, max: 3 }),
      times: fc.integer({ min: 1, max: 2 * most }),
    }),
    { minLength: 1, maxLength: 40 },
  );

/** Passes of a limit for each group and network, in the order of the tries. */
async function play(
  runs: readonly (Slot & { times: number })[],
  most: number,
  isTaken: (address: string) => Promise<boolean>,
): Promise<void> {
  const taken = new Map<string, number>();
  const of = (name: string) => taken.get(name) ?? 0;
  for (const run of runs) {
    const [group, network] = [`${run.network} ${run.subnet}`, `network ${run.network}`];
    for (let count = 0; count < run.times; count += 1) {
      // Exactly then: no group or network passes more often, and none loses a pass to another.
      const isExpected = of(group) < most && of(network) < 10 * most;
      expect(await isTaken(addressOf(run))).toBe(isExpected);
      if (!isExpected) continue;
      taken.set(group, of(group) + 1);
      taken.set(network, of(network) + 1);
    }
  }
}

describe('a group has its limit, its network ten times that, and refused requests use up neither', () => {
  test.each(['signUpAddress', 'codeAddress', 'mailAddress', 'signInAddress'] as const)(
    '%s',
    async (kind) => {
      const { max: most } = attemptLimits[kind];
      await fc.assert(
        fc.asyncProperty(tries(most), async (runs) => {
          const attempts = countingStore();
          await play(runs, most, async (address) => {
            try {
              await countAttempt({ attempts, clock: clock as never }, kind, address);
              return true;
            } catch (error) {
              if (!(error instanceof TooManyAttemptsRefusal)) throw error;
              return false;
            }
          });
        }),
        { numRuns: 30 },
      );
    },
  );

  test('unknown keys', async () => {
    await fc.assert(
      fc.asyncProperty(tries(maxGuesses), async (runs) => {
        const limiter = createGuessLimiter({
          attempts: countingStore(),
          clock,
          log: collectLog().log,
        });
        let keys = 0;
        await play(runs, maxGuesses, async (address) => {
          if (limiter.waitSeconds(address) !== null) return false;
          limiter.record(address, `key ${(keys += 1)}`);
          // The counts are written in the background.
          for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          return true;
        });
      }),
      { numRuns: 30 },
    );
  });

  test('work at once', async () => {
    const { maxPerCaller } = workKinds.visit;
    const kind = { ...workKinds.visit, maxInAll: Infinity };
    await fc.assert(
      fc.asyncProperty(tries(maxPerCaller), async (runs) => {
        const slots = createSlots({ kind });
        const enter = (address: string) => slots.tryEnter('kind', countedGroups(address));
        const taken: (() => void)[] = [];
        await play(runs, maxPerCaller, async (address) => {
          const slot = enter(address);
          if (slot) taken.push(() => slot.leave());
          return slot !== null;
        });
        for (const leave of taken) leave();
        expect(enter(addressOf(runs[0] as Slot))).not.toBeNull();
      }),
      { numRuns: 30 },
    );
  });
});

describe('refused requests', () => {
  let server: TestServer;
  afterEach(() => server.stop());

  test('of a network are held back from ten times the number of a group', async () => {
    server = await startTestServer({ app: { trustedProxies: { hops: 1 } } });
    const ask = async (address: string) => {
      const sentAt = performance.now();
      const headers = { 'x-forwarded-for': address };
      await (await fetch(`${server.url}/v1/credits/balance`, { headers })).text();
      return performance.now() - sentAt;
    };
    const isHeld = (tookMs: number) => tookMs > holdBackMs - 2;
    for (let subnet = 0; subnet < 10; subnet += 1) {
      const each = Array.from({ length: maxRefusedPerSecond }, () =>
        ask(addressOf({ network: 1, subnet, host: 1 })),
      );
      await Promise.all(each);
    }
    const flood = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(addressOf({ network: 1, subnet: 10 + n, host: 1 }))),
    );
    expect(flood.every(isHeld)).toBe(true);
    // Another network is answered while the flood waits.
    const held = ask(addressOf({ network: 1, subnet: 99, host: 1 })).then(() => 'the flood');
    const other = ask(addressOf({ network: 2, subnet: 0, host: 1 })).then(() => 'the other');
    expect(await Promise.race([held, other])).toBe('the other');
    await held;
  });
});
