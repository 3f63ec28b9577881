import { setTimeout as wait } from 'node:timers/promises';
import { verifyLedger } from '../../gateway/src/application/admin/verifyLedger.ts';
import type { FaultWorld } from './faultWorld.ts';
import type { History } from './patientClient.ts';

/** Waits until no generation is unfinished. @throws when `withinMs` is over: which ones stand where. */
export async function untilAllEnded(
  { mongo }: Pick<FaultWorld, 'mongo'>,
  withinMs: number,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  const { generations, jobs } = mongo.collections;
  for (;;) {
    const open = await generations.find({ open: true }).toArray();
    if (open.length === 0) return;
    if (performance.now() > giveUpAt) {
      const stuck = open.slice(0, 3);
      const found = await jobs.find({}).limit(10).toArray();
      const now = new Date(mongo.clock.now()).toISOString();
      throw new Error(
        `${open.length} generations did not end; it is ${now}: ${JSON.stringify({ stuck, found })}`,
      );
    }
    await wait(100);
  }
}

/**
 * Holds what clients saw, what the provider saw and what is stored against the promises.
 * @param origin A gateway that answers.
 * @returns Everything that is wrong, in words.
 */
export async function checkWorld(
  { ark, mongo, audit }: FaultWorld,
  origin: string,
  histories: readonly History[],
): Promise<string[]> {
  const wrong = histories.flatMap((history) =>
    history.wrong.map((words) => `${history.prompt}: ${words}`),
  );
  const { problems } = await verifyLedger({ audit });
  for (const problem of problems) wrong.push(JSON.stringify(problem));
  const { generations, accounts } = mongo.collections;
  for (const history of histories) {
    if (history.text === '') {
      wrong.push(`${history.prompt}: was never accepted`);
      continue;
    }
    const response = await fetch(`${origin}/v1/generations/${history.generationId}`, {
      headers: { authorization: `Bearer ${history.account.apiKey}` },
    });
    const text = await response.text();
    if (response.status !== 200) {
      wrong.push(`${history.prompt}: I4: its 202 is not readable: ${response.status} ${text}`);
    }
    const { prompt } = history;
    const made = await generations.countDocuments({ accountId: history.account.accountId, prompt });
    if (made !== 1) wrong.push(`${prompt}: I3: one key made ${made} generations`);
    const accepted = ark.accepted(prompt);
    if (accepted > 1) wrong.push(`${prompt}: I6: the provider accepted ${accepted}`);
    const { status } = JSON.parse(text) as { status?: unknown };
    if (status === 'completed' && accepted !== 1) {
      wrong.push(`${prompt}: is completed, and the provider accepted ${accepted}`);
    }
  }
  const busy = {
    $or: [{ running: { $ne: 0 } }, { waiting: { $ne: 0 } }, { inFlightCredits: { $ne: 0 } }],
  };
  for (const { _id, running, waiting } of await accounts.find(busy).toArray()) {
    wrong.push(
      `${_id}: counts ${String(running)} running and ${String(waiting)} waiting at the end`,
    );
  }
  return wrong;
}
