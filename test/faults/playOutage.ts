import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { openFaultWorld } from './faultWorld.ts';
import { createPatiently } from './patientClient.ts';
import { startReplicaSet } from './startReplicaSet.ts';

/** An outage of the only database server while a provider accepts orders. */
export interface Outage {
  seconds: number;
  /** `kill`: the server is killed and restarted; `freeze`: it stalls and its connections stay open. */
  how: 'kill' | 'freeze';
  /** One process for everything, or an api and two workers. */
  processes: 1 | 3;
}

/** The orders of an outage, and the problems afterwards, as text. */
export interface OutageReport {
  accepted: number;
  /** Orders whose generation was completed. */
  kept: number;
  wrong: string[];
}

const orders = 10;
/** Time of the provider's response: the database is unavailable by then. */
const answersAfterMs = 6_000;

/** Runs an outage on a separate database server and processes. */
export async function playOutage({ seconds, how, processes }: Outage): Promise<OutageReport> {
  const replicas = await startReplicaSet(1, 'outage');
  const world = await openFaultWorld({ uri: replicas.uri });
  try {
    const api = await world.start(processes === 1 ? {} : { ROLE: 'api' });
    for (let worker = 1; worker < processes; worker += 1) await world.start({ ROLE: 'worker' });
    const account = await world.addAccount(100_000);
    world.ark.script({ on: 'submit', fault: { kind: 'slow', ms: answersAfterMs } });
    const names = Array.from({ length: orders }, (_, index) => `outage ${index}.`);
    const histories = await Promise.all(
      names.map((prompt) => createPatiently(() => [api.origin], account, prompt)),
    );
    await until(() => world.ark.submitted().length === orders, 'all orders are at the provider');
    if (how === 'kill') await replicas.kill(0);
    else replicas.freeze(0);
    await pause(seconds * 1_000);
    if (how === 'kill') await replicas.restart(0);
    else replicas.thaw(0);
    await untilAllEnded(world, 120_000);
    const { generations } = world.mongo.collections;
    const kept = await generations.countDocuments({ status: 'completed' });
    const accepted = world.ark.submitted().filter(({ taskId }) => taskId !== null).length;
    return { accepted, kept, wrong: await checkWorld(world, api.origin, histories) };
  } finally {
    replicas.thaw(0);
    await world.close();
    await replicas.stop();
  }
}

/** The table of `npm run faults -- --outages`: every duration, by kill and by freeze, with one and three processes. */
export async function playOutages(
  lengths: readonly number[],
  note: (line: string) => void,
): Promise<boolean> {
  note('| seconds away | how | processes | orders accepted | kept | lost |');
  note('|---|---|---|---|---|---|');
  let isKept = true;
  for (const seconds of lengths) {
    const outages = (['kill', 'freeze'] as const).flatMap((how) =>
      ([1, 3] as const).map((processes): Outage => ({ seconds, how, processes })),
    );
    const reports = await Promise.all(outages.map(playOutage));
    for (const [index, { how, processes }] of outages.entries()) {
      const { accepted = 0, kept = 0, wrong = [] } = reports[index] ?? {};
      note(`| ${[seconds, how, processes, accepted, kept, accepted - kept].join(' | ')} |`);
      for (const words of wrong) note(words);
      isKept &&= accepted === orders && kept === orders && wrong.length === 0;
    }
  }
  return isKept;
}
