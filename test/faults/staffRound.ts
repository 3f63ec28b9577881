import { setTimeout as pause } from 'node:timers/promises';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { until } from '../support/until.ts';
import type { Chance } from './chance.ts';
import type { StaffCommand } from './faultCommands.ts';
import type { FaultAccount, FaultWorld } from './faultWorld.ts';
import type { Fleet } from './fleet.ts';
import { clipOrder } from './orders.ts';
import { createPatiently, type History } from './patientClient.ts';

/** Actions of staff in a round, and the steps where their process is killed. */
export interface StaffPlan {
  action: StaffCommand['action'];
  dies: FaultPoint | number;
}

/** Result of a round. */
export interface StaffReport {
  histories: History[];
  /** How many processes died. */
  killed: number;
  /** The first response; null if the process died before it. */
  first: string | null;
  /** The last one. */
  last: string;
  wrong: string[];
}

/** Valid responses to an action repeated after a crash. */
const sane: Record<StaffCommand['action'], RegExp> = {
  'fail and refund': /^Failed, and 12 credits|refused: This generation has already ended/,
  'resolve unknown':
    /^Adopted|^Resolved|refused: This generation has already been resolved|refused: None of this generation/,
  'poll now': /^The job runs within|refused: This generation has already ended/,
  'goodwill credits': /^7 credits given|refused: This form was already submitted/,
};

/** Every plan: the steps of an end for actions that end, random moments for the others. */
export function pickStaffPlan(chance: Chance): StaffPlan {
  const action = chance.pick(Object.keys(sane) as StaffCommand['action'][]);
  const steps = ['end.beforeTransaction', 'end.beforeJobRemoval'] as const;
  const moment = chance.below(120);
  return { action, dies: action === 'fail and refund' ? chance.pick(steps) : moment };
}

/**
 * A staff member acts on a generation or an account in a gateway process that is killed meanwhile, then repeats it
 * in another one until there is a response.
 */
export async function playStaffRound(
  world: FaultWorld,
  run: { fleet: Fleet; account: FaultAccount; name: string; plan: StaffPlan; number: number },
): Promise<StaffReport> {
  const { fleet, account, name, plan, number } = run;
  const { action, dies } = plan;
  // Staff resolve a submission that was accepted but never answered; the others stay running.
  const prompt = `${name}.${action === 'resolve unknown' ? '[hangs]' : '[never]'}`;
  const history = await createPatiently(() => fleet.origins(), account, clipOrder(prompt));
  await until(() => world.ark.accepted(prompt) > 0, `${prompt} is with the provider`);
  const task = world.ark.submitted().find((each) => each.prompt === prompt);
  const { generationId } = history;
  const { accountId } = account;
  const command: StaffCommand = {
    action,
    generationId,
    accountId,
    operation: task?.taskId ?? '',
    number,
    dies,
    formId: action === 'goodwill credits' ? `form-${name}` : null,
  };
  const wrong: string[] = [];
  if (action === 'resolve unknown') {
    const holder = await holderOf(world, fleet, generationId);
    holder?.signal('SIGKILL');
    await holder?.ended;
  } else {
    await untilSubmitted(world, generationId);
  }
  const [console] = fleet.ready();
  const first = (await console?.act(command)) ?? null;
  if (first === null || typeof dies === 'number') await console?.ended;
  const killed = fleet.replaceDead();
  const last = await repeat(fleet, { ...command, dies: null });
  if (!sane[action].test(last)) wrong.push(`${prompt}: staff were told: ${last}`);
  if (action === 'goodwill credits') wrong.push(...(await checkGoodwill(world, command, last)));
  return { histories: [history], killed, first, last, wrong };
}

/** Repeats, once or while a worker or the dead console's lease blocks it. */
async function repeat(fleet: Fleet, command: StaffCommand): Promise<string> {
  const busy = /right now|does not confirm|None of this generation/;
  // It ended while they were resolving it: they resolve an ended one.
  const late = command.action === 'resolve unknown' ? /has already ended/ : busy;
  for (let count = 0; ; count += 1) {
    await fleet.complete();
    const said = (await fleet.ready()[0]?.act(command)) ?? 'nothing';
    if ((!busy.test(said) && !late.test(said)) || count === 40) return said;
    await pause(200);
  }
}

/** The process that owns the generation: it wrote the intention. */
async function holderOf({ mongo }: FaultWorld, fleet: Fleet, generationId: string) {
  const found = await mongo.database.generations.find(generationId);
  const writer = found?.timeline.at(-1)?.process?.split(' ').at(-1);
  return fleet.ready().find(({ pid }) => String(pid) === writer);
}

async function untilSubmitted({ mongo }: FaultWorld, generationId: string): Promise<void> {
  const steps = ['submitted', 'ended'];
  await until(async () => {
    const found = await mongo.database.generations.find(generationId);
    return found !== null && steps.includes(found.step);
  }, `${generationId} is submitted`);
}

/** One form grants credits once; it may grant none only if it never began or its result is unknown. */
async function checkGoodwill(
  { mongo }: FaultWorld,
  { accountId, formId }: StaffCommand,
  last: string,
): Promise<string[]> {
  const reason = `goodwill: form ${String(formId)}`;
  const given = await mongo.collections.ledger.countDocuments({ accountId, reason });
  const isRight = last.startsWith('refused') ? given <= 1 : given === 1;
  return isRight ? [] : [`${reason}: given ${given} times, and staff were told: ${last}`];
}
