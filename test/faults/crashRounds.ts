import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { until } from '../support/until.ts';
import { createChance } from './chance.ts';
import { checkFiles } from './checkFiles.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { type CrashReport, emptyReport, timed } from './crashReport.ts';
import { type FaultAccount, type FaultWorld, openFaultWorld, quickTimings } from './faultWorld.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { makeOrder, type OrderKind, orderKinds } from './orders.ts';
import { createPatiently, type History } from './patientClient.ts';
import { type Played, playRound, type RoundPlan } from './playRound.ts';
import { pickStaffPlan, playStaffRound, type StaffPlan } from './staffRound.ts';

/** Every step at which a gateway can be killed while deliveries match their orders. */
export const faultPoints: readonly FaultPoint[] = [
  'create.beforeTransaction',
  'create.beforeResponse',
  'inputs.afterStored',
  'submit.beforeProvider',
  'submit.afterProvider',
  'arrive.afterStored',
  'arrive.afterNoted',
  'poll.afterProvider',
  'complete.afterStored',
  'end.beforeTransaction',
  'end.beforeJobRemoval',
  'upkeep.beforeHealing',
];

/** Step at which a round kills; `anywhere` is a random moment. */
const targets: readonly (FaultPoint | 'anywhere')[] = [...faultPoints, 'anywhere', 'anywhere'];

/** Plan of a round. */
export type Plan = RoundPlan | StaffPlan;

/** If chosen at random, one in this many rounds belongs to staff. */
const staffOneIn = 8;

function scriptMarks({ ark }: FaultWorld): void {
  const lost = (kind: 'drop' | 'hang') => ({ kind: 'accept, then', fault: { kind } }) as const;
  ark.script(
    { prompt: '[slow]', on: 'task', plan: { polls: 4, end: 'succeeded' } },
    { prompt: '[fails]', on: 'task', plan: { polls: 1, end: 'failed' } },
    { prompt: '[never]', on: 'task', plan: { polls: 0, end: 'never' } },
    { prompt: '[lost]', on: 'submit', fault: lost('drop') },
    { prompt: '[hangs]', on: 'submit', fault: lost('hang') },
    { prompt: '[dropped]', on: 'submit', fault: { kind: 'drop' } },
  );
}

/** A new seed, printed so that a run can be reproduced. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/**
 * Kills gateway processes, one per round, at labelled steps and at random moments, while clients repeat their requests
 * and staff act. Every `checkEvery` rounds it waits for everything to end and checks it against the promises. The seed
 * determines all random choices, but not the machine's timing.
 */
export async function runCrashRounds(options: {
  uri: string;
  seed: number;
  rounds: number;
  processes?: number;
  clients?: number;
  checkEvery?: number;
  /** Kinds of rounds, in order; random by default. */
  plans?: readonly Plan[];
  note?: (line: string) => void;
}): Promise<CrashReport> {
  const { seed, rounds, processes = 3, clients = 6, checkEvery = 20, note } = options;
  const chance = createChance(seed);
  const report = emptyReport(seed);
  const world = await openFaultWorld({
    uri: options.uri,
    timings: quickTimings,
    env: { VIDEO_DEADLINE_SECONDS: '12', LOG_LEVEL: 'error' },
  });
  // How long a process killed within a transaction leaves its account locked; usually 60 s.
  const lifetime = { setParameter: 1, transactionLifetimeLimitSeconds: 5 };
  await world.mongo.client.db('admin').command(lifetime);
  const pickPlan = (): Plan => {
    if (chance.below(staffOneIn) === 0) return pickStaffPlan(chance);
    return { point: chance.pick(targets), kinds: chance.pick(mixes) };
  };
  try {
    scriptMarks(world);
    const fleet = await timed(report, 'starting', () => startFleet(world, processes));
    const rich = await world.addAccount(1_000_000_000, { running: 8 });
    const ownPicture = await makeOwnPicture(world, fleet, rich);
    const parts = { chance, inputs: world.inputs, ownPicture };
    let histories: History[] = [];
    const check = async () => {
      await fleet.complete();
      await untilAllEnded(world, 120_000);
      report.wrong.push(...(await checkWorld(world, fleet.origins()[0] ?? '', histories)));
      report.wrong.push(...(await checkFiles(world)));
      await count(world, report, histories);
      histories = [];
      for (const each of [world.ark, world.images]) each.reset();
      scriptMarks(world);
    };
    while (report.rounds < rounds && report.wrong.length === 0) {
      const plan = options.plans?.[report.rounds] ?? pickPlan();
      const left = checkEvery - (report.rounds % checkEvery);
      const name = `${seed}-${report.rounds}`;
      await timed(report, 'rounds', async () => {
        if (fleet.ready().length < 2) await fleet.complete();
        // A resting provider would delay the step under test by up to a minute.
        await world.mongo.collections.breakers.deleteMany({ failures: { $gt: 4 } });
        const played =
          'action' in plan
            ? await playStaff(world, { fleet, account: rich, name, plan }, report)
            : await playRound(world, { fleet, parts, rich, clients, plan, name, left });
        report.kills[played.killedAt] = (report.kills[played.killedAt] ?? 0) + 1;
        report.killed += played.killed;
        histories.push(...played.histories);
      });
      report.rounds += 1;
      if (report.rounds % checkEvery === 0) {
        await timed(report, 'endings', check);
        note?.(
          `${report.rounds} rounds, ${report.generations} generations: ${report.wrong.length} wrong`,
        );
      }
    }
    if (histories.length > 0) await timed(report, 'endings', check);
    return report;
  } finally {
    await world.close();
  }
}

/** Requests of the clients of a round: mostly one kind, so that its step is reached; otherwise of every kind. */
const mixes: readonly (readonly OrderKind[])[] = [
  ...orderKinds.map((kind) => [kind]),
  orderKinds,
  orderKinds,
];

async function playStaff(
  world: FaultWorld,
  run: { fleet: Fleet; account: FaultAccount; name: string; plan: StaffPlan },
  report: CrashReport,
): Promise<Played> {
  const { action } = run.plan;
  const played = await playStaffRound(world, { ...run, number: report.rounds });
  const before = report.staff[action] ?? { rounds: 0, unanswered: 0 };
  report.staff[action] = {
    rounds: before.rounds + 1,
    unanswered: before.unanswered + (played.first === null ? 1 : 0),
  };
  report.wrong.push(...played.wrong);
  return { ...played, killedAt: `staff: ${action}` };
}

/** A finished picture of the account, used as an input later. @returns Its URL. */
async function makeOwnPicture(
  { images, inputs, mongo }: FaultWorld,
  fleet: Fleet,
  account: FaultAccount,
): Promise<string> {
  const parts = { chance: createChance(0), inputs, ownPicture: '' };
  const order = makeOrder('image', 'own picture', parts);
  const { generationId } = await createPatiently(fleet.origins, account, order);
  await until(async () => {
    const found = await mongo.database.generations.find(generationId);
    return found?.status === 'completed';
  }, 'a picture is made');
  images.reset();
  const response = await fetch(`${fleet.origins()[0]}/v1/generations/${generationId}`, {
    headers: { authorization: `Bearer ${account.apiKey}` },
  });
  const { output } = (await response.json()) as { output: { image_urls: string[] } };
  return output.image_urls[0] ?? '';
}

/** Counts the outcomes of the orders. */
async function count(
  { mongo }: FaultWorld,
  report: CrashReport,
  histories: readonly History[],
): Promise<void> {
  for (const { order, generationId, attempts } of histories) {
    const found = await mongo.database.generations.find(generationId);
    const kind = (report.kinds[order.kind] ??= { asked: 0, completed: 0, failed: 0 });
    kind.asked += 1;
    report.generations += 1;
    report.requests += attempts;
    if (found?.status !== 'completed' && found?.status !== 'failed') continue;
    kind[found.status] += 1;
    report[found.status] += 1;
  }
}
