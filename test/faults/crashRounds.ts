import { setTimeout as wait } from 'node:timers/promises';
import type { FaultPoint } from '../../gateway/src/application/ports/faultPoint.ts';
import { createChance, type Chance } from './chance.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { openFaultWorld, quickTimings, type FaultAccount, type FaultWorld } from './faultWorld.ts';
import { clientCredits, createPatiently, repeatCreate, type History } from './patientClient.ts';
import type { GatewayProcess } from './startGatewayProcess.ts';

/** Every step at which a gateway can be killed. */
export const faultPoints: readonly FaultPoint[] = [
  'create.beforeTransaction',
  'create.beforeAnswer',
  'submit.beforeProvider',
  'submit.afterProvider',
  'poll.afterLook',
  'complete.afterStored',
  'settle.beforeTransaction',
  'settle.beforeJobRemoval',
  'reconcile.beforeHealing',
];

/** Where a round kills; `anywhere` is a random moment. */
const targets: readonly (FaultPoint | 'anywhere')[] = [...faultPoints, 'anywhere', 'anywhere'];

/** What a run of crashes came to. */
export interface CrashReport {
  seed: number;
  rounds: number;
  /** Kills by where they hit. */
  kills: Record<string, number>;
  generations: number;
  /** Requests that clients had to send for them. */
  requests: number;
  completed: number;
  failed: number;
  /** Broken promises, in words. */
  wrong: string[];
}

/** What the provider does with a prompt that has this mark. */
const marks = ['', '', '', '', '[slow]', '[fails]', '[lost]', '[dropped]', '[busy]', '[never]'];

function scriptMarks({ ark }: FaultWorld): void {
  ark.script(
    { prompt: '[slow]', on: 'task', plan: { looks: 4, end: 'succeeded' } },
    { prompt: '[fails]', on: 'task', plan: { looks: 1, end: 'failed' } },
    { prompt: '[never]', on: 'task', plan: { looks: 0, end: 'never' } },
    { prompt: '[lost]', on: 'submit', fault: { kind: 'accept, then', fault: { kind: 'drop' } } },
    { prompt: '[dropped]', on: 'submit', fault: { kind: 'drop' } },
  );
}

/** A seed that nobody has tried, to be printed so that a run can be played again. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/**
 * Kills gateway processes, one a round, at labelled steps and at random moments, while clients repeat
 * their requests; then lets everything end and holds it against the promises, every `checkEvery` rounds.
 * What chance decides is decided by the seed alone; what the machine does at the same time is not.
 */
export async function runCrashRounds(options: {
  uri: string;
  seed: number;
  rounds: number;
  processes?: number;
  clients?: number;
  checkEvery?: number;
  /** Steps to kill at, in order; by default chance picks. */
  points?: readonly FaultPoint[];
  note?: (line: string) => void;
}): Promise<CrashReport> {
  const { seed, rounds, processes = 3, clients = 6, checkEvery = 20, note } = options;
  const chance = createChance(seed);
  const world = await openFaultWorld({
    uri: options.uri,
    timings: quickTimings,
    env: { VIDEO_DEADLINE_SECONDS: '12', LOG_LEVEL: 'error' },
  });
  const report: CrashReport = {
    ...{
      seed,
      rounds: 0,
      kills: {},
      generations: 0,
      requests: 0,
      completed: 0,
      failed: 0,
      wrong: [],
    },
  };
  try {
    scriptMarks(world);
    const fleet = await createFleet(world, processes);
    const rich = await world.addAccount(1_000_000_000, { running: 8 });
    let histories: History[] = [];
    const check = async () => {
      await fleet.complete();
      await untilAllEnded(world, 120_000);
      report.wrong.push(...(await checkWorld(world, fleet.origins()[0] ?? '', histories)));
      for (const { tries } of histories) report.requests += tries;
      report.generations += histories.length;
      histories = [];
      world.ark.reset();
      scriptMarks(world);
    };
    while (report.rounds < rounds && report.wrong.length === 0) {
      const point = options.points?.[report.rounds] ?? chance.pick(targets);
      const round = await playRound(
        world,
        { fleet, chance, rich, clients, point, seed },
        report.rounds,
      );
      report.kills[round.killedAt] = (report.kills[round.killedAt] ?? 0) + 1;
      histories.push(...round.histories);
      report.rounds += 1;
      if (report.rounds % checkEvery === 0) {
        await check();
        note?.(
          `${report.rounds} rounds, ${report.generations} generations: ${report.wrong.length} wrong`,
        );
      }
    }
    if (histories.length > 0) await check();
    const { generations } = world.mongo.collections;
    report.completed = await generations.countDocuments({ status: 'completed' });
    report.failed = await generations.countDocuments({ status: 'failed' });
    return report;
  } finally {
    await world.close();
  }
}

interface Fleet {
  origins(): string[];
  ready(): GatewayProcess[];
  /** Puts another in the place of a dead one, in the background. */
  replace(dead: GatewayProcess): void;
  /** Waits until all are there again. */
  complete(): Promise<void>;
}

async function createFleet(world: FaultWorld, size: number): Promise<Fleet> {
  const starting = new Set<Promise<unknown>>();
  let members: GatewayProcess[] = [];
  const add = () => {
    const started = world.start().then((each) => members.push(each));
    starting.add(started);
    // A failed start is kept and met by `complete`.
    started.then(
      () => starting.delete(started),
      () => undefined,
    );
  };
  const fleet: Fleet = {
    origins: () => fleet.ready().map(({ origin }) => origin),
    ready: () => members.filter((each) => each.isAlive()),
    replace(dead) {
      members = members.filter((each) => each !== dead);
      add();
    },
    async complete() {
      while (starting.size > 0) await Promise.all(starting);
    },
  };
  for (let count = 0; count < size; count += 1) add();
  await fleet.complete();
  return fleet;
}

async function playRound(
  world: FaultWorld,
  run: {
    fleet: Fleet;
    chance: Chance;
    rich: FaultAccount;
    clients: number;
    point: FaultPoint | 'anywhere';
    seed: number;
  },
  number: number,
): Promise<{ killedAt: string; histories: History[] }> {
  const { fleet, chance, rich, clients, point, seed } = run;
  if (fleet.ready().length < 2) await fleet.complete();
  const victim = chance.pick(fleet.ready());
  const afterMs = chance.below(1_500);
  const times = 1 + chance.below(2);
  if (point !== 'anywhere') victim.order({ arm: { point, times, signal: 'SIGKILL' } });
  // One has credits, a place and a create for this one request alone: it must get its 202 all the same.
  const last = await world.addAccount(clientCredits, {
    running: 1,
    waiting: 0,
    burst: 1,
    createsPerMinute: 1,
  });
  const prompt = (client: number): string => `${seed}-${number}-${client}.${chance.pick(marks)}`;
  const origins = () => fleet.origins();
  const asked = Array.from({ length: clients }, (_, client) => {
    const text = prompt(client);
    if (text.includes('[busy]')) {
      const fault = { kind: 'error', status: 429, code: 'ServerOverloaded' } as const;
      world.ark.script({ prompt: text, times: 1, on: 'submit', fault });
    }
    return createPatiently(origins, client === 0 ? last : rich, text);
  });
  const hit = await untilHit(victim, point, afterMs, (extra) => {
    asked.push(createPatiently(origins, rich, prompt(clients + extra)));
  });
  victim.signal('SIGKILL');
  await victim.ended;
  fleet.replace(victim);
  const histories = await Promise.all(asked);
  const [origin] = origins();
  if (origin !== undefined) {
    await Promise.all(histories.slice(0, 2).map((history) => repeatCreate(origin, history)));
  }
  return { killedAt: hit, histories };
}

/**
 * Waits until the victim has come to its step. Others may have done all the work there was: then more
 * is asked for, and in the end it is killed wherever it is.
 */
async function untilHit(
  victim: GatewayProcess,
  point: FaultPoint | 'anywhere',
  afterMs: number,
  ask: (extra: number) => void,
): Promise<FaultPoint | 'anywhere'> {
  const waitMs = point === 'anywhere' ? afterMs : 2_000;
  const asksAtMost = point === 'anywhere' ? 0 : 20;
  for (let extra = 0; ; extra += 1) {
    const dead = await Promise.race([
      victim.ended.then(() => true),
      wait(waitMs).then(() => false),
    ]);
    if (dead) return point;
    if (extra === asksAtMost) return 'anywhere';
    ask(extra);
  }
}
