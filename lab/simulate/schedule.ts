import fc from 'fast-check';
import { minuteMs } from '@framegate/contract';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import type { LotKind } from '../../gateway/src/domain/credits/credits.ts';
import type { Fate } from '../../test/properties/modelProvider.ts';
import type { Trouble } from './memoryDriver.ts';
import type { SteppedClock } from './virtualTime.ts';

/** Processes of a schedule; one that dies is replaced. */
export const processes = 2;
/** Number of followers of the ledger in a schedule. */
export const followers = 2;

/** An event of a schedule. Times in ms; `on` is a process. */
export type Act =
  | { does: 'create'; key: string; fate: Fate; long: boolean; on: number }
  | { does: 'work'; on: number }
  | { does: 'upkeep'; on: number }
  | { does: 'verdict'; which: number; verdict: 'completed' | 'failed' }
  | { does: 'grant'; payment: string; kind: LotKind; amount: number; livesMs: number; on: number }
  | { does: 'cancel'; which: number; on: number }
  | { does: 'follow'; follower: number; on: number }
  | { does: 'verify'; on: number }
  | { does: 'kill'; on: number; at: FaultPoint | null }
  | { does: 'freeze'; on: number; at: FaultPoint | null; ms: number }
  | { does: 'trouble'; on: number; next: (Trouble | null)[] }
  | { does: 'step a clock'; whose: SteppedClock; ms: number }
  | { does: 'correct the clock' }
  | { does: 'pass'; ms: number }
  | { does: 'back up' }
  | { does: 'restore' };

/** An act, and whether the next one waits for its end. */
export type Step = Act & { waits: boolean };

/** A schedule: its steps, and the seed of everything that they leave open, such as races. */
export interface Schedule {
  steps: Step[];
  seed: number;
}

/** Much longer than a lease, in ms. */
export const freezeMs = 11 * minuteMs;
const points: FaultPoint[] = [
  'create.beforeTransaction',
  'create.beforeResponse',
  'submit.beforeProvider',
  'submit.afterProvider',
  'poll.afterProvider',
  'complete.afterStored',
  'end.beforeTransaction',
  'end.beforeJobRemoval',
  'upkeep.beforeHealing',
  'erase.beforeTransaction',
];

const record = <T extends object>(fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(fields) as unknown as fc.Arbitrary<T>;
const on = fc.nat(processes - 1);
const which = fc.nat(7);

/** Every act, the frequent ones first. */
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: record<Extract<Act, { does: 'create' }>>({
      does: fc.constant('create'),
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      fate: fc.constantFrom<Fate>('takes', 'takes', 'takes', 'refuses', 'loses', 'isBusy'),
      long: fc.boolean(),
      on,
    }),
  },
  {
    weight: 6,
    arbitrary: record<Extract<Act, { does: 'work' }>>({ does: fc.constant('work'), on }),
  },
  {
    weight: 3,
    arbitrary: record<Extract<Act, { does: 'upkeep' }>>({ does: fc.constant('upkeep'), on }),
  },
  {
    weight: 4,
    arbitrary: record<Extract<Act, { does: 'verdict' }>>({
      does: fc.constant('verdict'),
      which,
      verdict: fc.constantFrom('completed', 'failed'),
    }),
  },
  {
    weight: 2,
    arbitrary: record<Extract<Act, { does: 'grant' }>>({
      does: fc.constant('grant'),
      payment: fc.constantFrom('x', 'y', 'z'),
      kind: fc.constantFrom('promotional', 'purchased'),
      amount: fc.constantFrom(5, 12, 30),
      livesMs: fc.constantFrom(10 * minuteMs, 90 * minuteMs, Infinity),
      on,
    }),
  },
  {
    weight: 2,
    arbitrary: record<Extract<Act, { does: 'cancel' }>>({
      does: fc.constant('cancel'),
      which,
      on,
    }),
  },
  {
    weight: 2,
    arbitrary: record<Extract<Act, { does: 'follow' }>>({
      does: fc.constant('follow'),
      follower: fc.nat(followers - 1),
      on,
    }),
  },
  {
    weight: 1,
    arbitrary: record<Extract<Act, { does: 'verify' }>>({ does: fc.constant('verify'), on }),
  },
  {
    weight: 3,
    arbitrary: record<Extract<Act, { does: 'kill' }>>({
      does: fc.constant('kill'),
      on,
      at: fc.constantFrom(null, ...points),
    }),
  },
  {
    weight: 3,
    arbitrary: record<Extract<Act, { does: 'freeze' }>>({
      does: fc.constant('freeze'),
      on,
      at: fc.constantFrom<(FaultPoint | null)[]>(null, 'submit.beforeProvider', ...points),
      ms: fc.constant(freezeMs),
    }),
  },
  {
    weight: 3,
    arbitrary: record<Extract<Act, { does: 'trouble' }>>({
      does: fc.constant('trouble'),
      on,
      next: fc.array(
        fc.constantFrom<(Trouble | null)[]>(null, null, 'refused', 'lost', 'lost', 'late', 'gone'),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: record<Extract<Act, { does: 'step a clock' }>>({
      does: fc.constant('step a clock'),
      whose: fc.constantFrom<SteppedClock[]>('database', 'all'),
      ms: fc.constantFrom(-20 * minuteMs, -31_000, 31_000, 20 * minuteMs),
    }),
  },
  {
    weight: 3,
    arbitrary: record<Extract<Act, { does: 'pass' }>>({
      does: fc.constant('pass'),
      ms: fc.constantFrom(1_000, 1_000, 31_000, 31_000, 11 * minuteMs, 61 * minuteMs),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Act>({ does: 'correct the clock' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ does: 'back up' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ does: 'restore' }) },
);

/** Arbitrary schedules; a failing one shrinks to the steps that matter. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  steps: fc.array(
    fc.tuple(act, fc.boolean()).map(([fields, waits]): Step => ({ ...fields, waits })),
    { minLength: 6, maxLength: 24, size: 'max' },
  ),
  seed: fc.noShrink(fc.nat(2 ** 31 - 1)),
});

/** A schedule as text. */
export const describeSchedule = ({ steps, seed }: Schedule): string =>
  [
    `seed ${seed}`,
    ...steps.map(({ does, waits, ...rest }) => {
      const details = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`);
      return `${waits ? '' : '(with the next) '}${[does, ...details].join(', ')}`;
    }),
  ].join('\n  ');
