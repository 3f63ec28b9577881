import fc from 'fast-check';
import { minuteMs } from '@framegate/contract';
import { cancelGeneration } from '../../gateway/src/application/generations/end/cancelGeneration.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { video } from '../support/bodies.ts';
import type { Fate } from './modelProvider.ts';
import type { ModelRun } from './modelRun.ts';
import { Dead, type ModelProcess } from './modelWorld.ts';

/** A step of the model-based test; everything it checks is in `ModelRun.observe`. */
type Step = fc.AsyncCommand<object, ModelRun>;

const step = (words: string, run: (real: ModelRun) => Promise<void>): Step => ({
  check: () => true,
  toString: () => words,
  async run(_model, real) {
    real.steps += 1;
    await run(real);
    await real.observe(words);
  },
});

/** One create request; the body of its 202, or the code of its refusal. */
async function tryCreate(
  real: ModelRun,
  process: ModelProcess,
  key: string,
  body: object,
): Promise<string> {
  try {
    return await process.create(real.caller, key, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code;
  }
}

/** Lets a process work until it is done or dead, then replaces a dead one. */
async function asProcess(
  real: ModelRun,
  diesAt: FaultPoint | null,
  work: () => Promise<unknown>,
): Promise<void> {
  real.process.dieAt(diesAt);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Dead)) throw error;
  }
  await real.process.poller.drain();
  if (real.process.isDead()) {
    real.count('death');
    real.restart();
  }
  real.process.dieAt(null);
}

const never = new AbortController().signal;
const seconds = [4, 8] as const;
/** Credits a second of alpha-2.0-mini in 480p. */
const perSecond = 3;

function create(key: string, fate: Fate, long: boolean, diesAt: FaultPoint | 'twice' | null): Step {
  const duration = seconds[long ? 1 : 0];
  const prompt = `${fate} ${key}`;
  return step(`create ${key} ${fate} ${duration} s, dies at ${diesAt ?? '-'}`, async (real) => {
    const { model } = real;
    const known = model.of(key);
    const verdict = model.verdict(duration * perSecond);
    const body = video({ prompt, parameters: { duration_seconds: duration, resolution: '480p' } });
    const said = JSON.stringify(body);
    let response: string | null = null;
    if (diesAt === 'twice') {
      // Two processes at once: they meet in the database alone.
      const other = real.world.startProcess(real.provider);
      const responses = await Promise.all(
        [real.process, other].map((each) => tryCreate(real, each, key, body)),
      );
      real.expectEqual(responses[0], responses[1], 'the other response');
      response = responses[0] ?? null;
    } else {
      await asProcess(real, diesAt, async () => {
        response = await tryCreate(real, real.process, key, body);
      });
    }
    if (known) {
      const expected = real.bodies.get(key) === said ? known.text : 'idempotency_key_reused';
      real.count('replay');
      real.expectEqual(response, expected, 'a replay');
      return;
    }
    if (verdict !== 'accepted') {
      real.count(verdict);
      real.expectEqual(response, verdict, 'a refusal');
      return;
    }
    if (diesAt === 'create.beforeTransaction') return;
    // It was accepted even if the client has not seen the response; the next attempt repeats that response.
    const stored = await real.findByKey(key);
    if (!stored) throw new Error('an accepted create is not stored');
    if (diesAt !== 'create.beforeResponse') real.expectEqual(response, stored.text, 'the response');
    real.bodies.set(key, said);
    model.accept(key, stored.id, stored.text, duration * perSecond);
  });
}

const workPoints: (FaultPoint | null)[] = [
  ...[
    null,
    null,
    null,
    null,
    'submit.beforeProvider',
    'submit.afterProvider',
    'poll.afterProvider',
  ],
  ...['complete.afterStored', 'end.beforeTransaction', 'end.beforeJobRemoval'],
] as (FaultPoint | null)[];

const nth = (real: ModelRun, index: number): string | undefined => {
  const open = real.model.open();
  return open[index % Math.max(1, open.length)]?.id;
};

const jobOf = ({ caller: { accountId } }: ModelRun, generationId: string) => ({
  generationId,
  accountId,
});

/** All steps, weighted so that progress is frequent. */
export function modelCommands() {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const fate = fc.constantFrom<Fate>('takes', 'takes', 'takes', 'refuses', 'loses', 'isBusy');
  const createPoint = fc.constantFrom<(FaultPoint | 'twice' | null)[]>(
    ...[null, null, 'twice' as const, 'twice' as const],
    ...['create.beforeTransaction' as const, 'create.beforeResponse' as const],
  );
  const workPoint = fc.constantFrom(...workPoints);
  const index = fc.nat(7);
  const creates = fc
    .tuple(key, fate, fc.boolean(), createPoint)
    .map(([...args]) => create(...args));
  const runs = fc.tuple(index, workPoint).map(([which, diesAt]) =>
    step(`run ${which}, dies at ${diesAt ?? '-'}`, async (real) => {
      const id = nth(real, which);
      if (id === undefined) return;
      // Another client may do the same at the same moment.
      const other = real.world.startProcess(real.provider);
      await Promise.all([
        asProcess(real, diesAt, () => runGeneration(real.process.deps, jobOf(real, id), never)),
        runGeneration(other.deps, jobOf(real, id), never),
      ]);
    }),
  );
  const takesBack = fc.tuple(index, fc.boolean()).map(([which, whileItStarts]) =>
    step(`cancel ${which}${whileItStarts ? ' while it starts' : ''}`, async (real) => {
      const id = nth(real, which);
      if (id === undefined) return;
      const other = real.world.startProcess(real.provider);
      const taken = cancelGeneration(real.process.deps, id).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
      await Promise.all([
        taken,
        whileItStarts && runGeneration(other.deps, jobOf(real, id), never),
      ]);
    }),
  );
  const polls = workPoint.map((diesAt) =>
    step(`poll, dies at ${diesAt ?? '-'}`, async (real) => {
      const { poller } = real.process;
      await asProcess(real, diesAt, async () => {
        await poller.pollDue(never);
        await poller.drain();
      });
    }),
  );
  const reconciles = fc
    .constantFrom<(FaultPoint | null)[]>(null, 'upkeep.beforeHealing', 'end.beforeTransaction')
    .map((diesAt) =>
      step(`upkeep, dies at ${diesAt ?? '-'}`, (real) =>
        asProcess(real, diesAt, () => real.process.upkeep()),
      ),
    );
  const verdicts = fc
    .tuple(index, fc.constantFrom('completed' as const, 'failed' as const))
    .map(([which, verdict]) =>
      step(`the provider says ${verdict} of ${which}`, async (real) => {
        const id = nth(real, which);
        if (id !== undefined && !real.provider.verdicts.has(id)) {
          real.provider.verdicts.set(id, verdict);
        }
      }),
    );
  const times = fc
    .constantFrom(
      1_000,
      1_000,
      31_000,
      31_000,
      31_000,
      11 * minuteMs,
      61 * minuteMs,
      361 * minuteMs,
    )
    .map((ms) => step(`${ms} ms pass`, (real) => real.pass(ms)));
  const grants = fc
    .tuple(
      fc.constantFrom('promotional' as const, 'purchased' as const),
      fc.constantFrom(5, 12, 30, 60),
      fc.constantFrom(10 * minuteMs, 90 * minuteMs, Infinity),
    )
    .map(([kind, amount, ms]) =>
      step(`grant ${amount} ${kind} for ${ms} ms`, async (real) => {
        await real.world.grant(real.caller.accountId, kind, amount, ms);
        real.model.grant(kind, amount, ms);
      }),
    );
  return [
    creates,
    creates,
    runs,
    runs,
    takesBack,
    polls,
    polls,
    reconciles,
    verdicts,
    verdicts,
    times,
    grants,
  ];
}
