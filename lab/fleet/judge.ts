import { checkWorld } from '../../test/faults/checkWorld.ts';
import type { History } from '../../test/faults/patientClient.ts';
import type { FleetWorld } from './fleetWorld.ts';
import type { Member } from './roles.ts';

/** Outcome of the orders. */
export interface Verdict {
  /** All broken promises, as text. */
  wrong: string[];
  counts: {
    accepted: number;
    completed: number;
    /** Failed and refunded because the process that was calling the provider was killed. */
    refundedAfterKill: number;
    /** Calls that the provider had accepted and that were interrupted by a killed process. */
    cutByKill: number;
  };
}

/** Maximum time between a process's death and the interruption of a call caused by it, in ms. */
const sameMomentMs = 5_000;

/** Checks the records of customers, providers and the database against the promises, after everything has ended. */
export async function judge(
  world: FleetWorld,
  origin: string,
  histories: readonly History[],
  members: readonly Member[],
): Promise<Verdict> {
  const { ark, silenced, images, mongo, ledgerAudit } = world;
  const both = { accepted: (prompt: string) => ark.accepted(prompt) + silenced.accepted(prompt) };
  const wrong = await checkWorld({ ark: both, images, mongo, ledgerAudit }, origin, histories);
  const killedAt = new Map(
    members.flatMap(({ pid, troubles }) =>
      troubles.filter(({ kind }) => kind === 'killed').map(({ from }) => [pid, from] as const),
    ),
  );

  let cutByKill = 0;
  const cut = [
    ...images.calls().flatMap(({ prompt, cutAt }) => (cutAt === null ? [] : [{ prompt, cutAt }])),
    ...[...ark.submitted(), ...silenced.submitted()].flatMap(({ prompt, wasCut, taskId, at }) =>
      wasCut && taskId !== null ? [{ prompt, cutAt: at }] : [],
    ),
  ];
  const kills = [...killedAt.values()];
  for (const { prompt, cutAt } of cut) {
    if (kills.some((at) => Math.abs(at - cutAt) < sameMomentMs)) cutByKill += 1;
    else wrong.push(`${prompt}: the provider's work was cut off by us at ${isoTime(cutAt)}`);
  }

  const failed = await mongo.collections.generations.find({ status: 'failed' }).toArray();
  let refundedAfterKill = 0;
  for (const { _id, prompt, failure, attempts, timeline } of failed) {
    const events = timeline as { at: Date; what: string; process?: string }[];
    const lastSubmitted = events.findLast(({ what }) => what.startsWith('submitted to'));
    const died = killedAt.get(Number(lastSubmitted?.process?.split(' ').at(-1)));
    if (died !== undefined && lastSubmitted !== undefined && lastSubmitted.at.getTime() <= died) {
      refundedAfterKill += 1;
      continue;
    }
    const details = JSON.stringify({ failure, attempts, timeline });
    wrong.push(`${prompt} ${_id}: failed without a killed process: ${details}`);
  }
  const completed = await mongo.collections.generations.countDocuments({ status: 'completed' });
  const accepted = histories.length;
  return { wrong, counts: { accepted, completed, refundedAfterKill, cutByKill } };
}

const isoTime = (at: number) => new Date(at).toISOString();
