import { minuteMs } from '@framegate/contract';
import { untilAllEnded } from '../../test/faults/checkWorld.ts';
import type { FaultWorld } from '../../test/faults/faultWorld.ts';
import { video } from '../../test/support/bodies.ts';
import { plain } from '../../test/support/plainCollection.ts';
import { createShot } from '../bench/load.ts';
import { fillHistory } from '../growth/fillHistory.ts';

/** Generations of each account, and about as many entries of its ledger. */
const generationsEach = 2_000;
/**
 * Fills a world with accounts that have long histories; the ledgers are right. Processes that run only for the
 * templates must have ended: they would take a process that fills a database for a silent one.
 * @returns A generation with files, the template of the others.
 */
export async function fill(world: FaultWorld, accounts: number): Promise<string> {
  const processes = [await world.start({ ROLE: 'api' }), await world.start({ ROLE: 'worker' })];
  const templates = await makeTemplates(world, processes[0]?.origin ?? '');
  for (const each of processes) await each.stop();
  const size = { accounts: accounts + 2, generations: (accounts + 2) * generationsEach };
  await fillHistory(world.mongo, templates, { ...size, largest: generationsEach });
  return templates.completedId;
}

/** An account with one completed and one failed generation, the templates of the histories. */
async function makeTemplates(world: FaultWorld, origin: string) {
  const account = await world.addAccount(1_000_000);
  world.ark.script({ on: 'task', prompt: 'fails', plan: { polls: 1, end: 'failed' } });
  const create = async (prompt: string): Promise<string> => {
    const body = video({ model: 'alpha-2.0-fast', prompt });
    const shot = createShot(account.apiKey, '/v1/videos', body);
    const response = await fetch(origin + shot.path, shot);
    const text = await response.text();
    if (response.status !== 202) throw new Error(`a create was refused: ${text}`);
    return (JSON.parse(text) as { id: string }).id;
  };
  const [completedId, failedId] = [await create('completes'), await create('fails')];
  await untilAllEnded(world, minuteMs);
  // Prompts that are slow to search; no model of the provider takes them as long.
  const { generations } = world.mongo.collections;
  await plain(generations).updateMany({}, { $set: { prompt: `${'a'.repeat(4_999)}c` } });
  return { account, completedId, failedId };
}
