import { setTimeout as pause } from 'node:timers/promises';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import type { FaultWorld } from './faultWorld.ts';
import type { History } from './patientClient.ts';

/** Waits until every generation has ended. @throws After `withinMs`, with the state of unfinished ones. */
export async function untilAllEnded(
  { mongo }: Pick<FaultWorld, 'mongo'>,
  withinMs: number,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  const { generations, jobs } = mongo.collections;
  for (;;) {
    // Like readers, which do not see writes without a majority.
    const open = await generations.find({ open: true }, { readConcern: 'majority' }).toArray();
    if (open.length === 0) return;
    if (performance.now() > giveUpAt) {
      const stuck = open.slice(0, 3);
      const found = await jobs.find({}).limit(10).toArray();
      const now = new Date(mongo.clock.now()).toISOString();
      throw new Error(
        `${open.length} generations did not end; it is ${now}: ${JSON.stringify({ stuck, found })}`,
      );
    }
    await pause(100);
  }
}

/** The parts of a world that are checked. */
export type CheckedWorld = Pick<FaultWorld, 'mongo' | 'ledgerAudit'> & {
  ark: Pick<FaultWorld['ark'], 'accepted'>;
  images: Pick<FaultWorld['images'], 'accepted'>;
};

/** Histories that are checked at once. */
const lanes = 8;

/** Checks the records of the clients, the provider and the database against the promises. */
export async function checkWorld(
  { ark, images, mongo, ledgerAudit }: CheckedWorld,
  origin: string,
  histories: readonly History[],
): Promise<string[]> {
  const wrong = histories.flatMap((history) =>
    history.wrong.map((words) => `${history.prompt}: ${words}`),
  );
  const { problems } = await verifyLedger({ ledgerAudit });
  for (const problem of problems) wrong.push(JSON.stringify(problem));
  const left = [...histories];
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      wrong.push(...(await checkOne({ ark, images, mongo }, origin, next)));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const busy = {
    $or: [{ running: { $ne: 0 } }, { waiting: { $ne: 0 } }, { inFlightCredits: { $ne: 0 } }],
  };
  const counting = await mongo.collections.accounts.find(busy).toArray();
  for (const { _id, running, waiting } of counting) {
    wrong.push(
      `${_id}: counts ${String(running)} running and ${String(waiting)} waiting at the end`,
    );
  }
  return wrong;
}

/** Checks the outcome of one create request against the promises. */
async function checkOne(
  { ark, images, mongo }: Pick<CheckedWorld, 'ark' | 'images' | 'mongo'>,
  origin: string,
  { account, order, prompt, text, generationId }: History,
): Promise<string[]> {
  if (text === '') return [`${prompt}: was never accepted`];
  const wrong: string[] = [];
  const response = await fetch(`${origin}/v1/generations/${generationId}`, {
    headers: { authorization: `Bearer ${account.apiKey}` },
  });
  const record = await response.text();
  if (response.status !== 200) {
    return [`${prompt}: I4: its 202 is not readable: ${response.status} ${record}`];
  }
  const { accountId } = account;
  const made = await mongo.collections.generations.countDocuments({ accountId, prompt });
  if (made !== 1) wrong.push(`${prompt}: I3: one key made ${made} generations`);
  const { files, kind } = order;
  const accepted = (kind.endsWith('image') ? images : ark).accepted(prompt);
  if (accepted > files) wrong.push(`${prompt}: I6: the provider accepted ${accepted} of ${files}`);
  const { status, output, billing } = JSON.parse(record) as Ended;
  if (status === 'completed') {
    if (accepted !== files) {
      wrong.push(`${prompt}: is completed, and the provider accepted ${accepted} of ${files}`);
    }
    wrong.push(...(await checkOutputs(output, files)).map((words) => `${prompt}: ${words}`));
  } else if (billing.refunded_credits !== order.credits) {
    const back = billing.refunded_credits;
    wrong.push(`${prompt}: I2: ${status}, and ${back} credits were refunded`);
  }
  return wrong;
}

/** The checked fields of an ended generation's record. */
interface Ended {
  status: string;
  output: { video_url?: string; image_urls?: string[] } | null;
  billing: { refunded_credits: number };
}

/** All ordered files exist and can be read. */
async function checkOutputs(output: Ended['output'], files: number): Promise<string[]> {
  const { video_url: clip, image_urls: pictures = [] } = output ?? {};
  const urls = clip === undefined ? pictures : [clip];
  if (urls.length !== files) return [`has ${urls.length} files of ${files}`];
  const statuses = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url);
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return statuses.filter((status) => status !== 200).map((status) => `a file answers ${status}`);
}
