import { minuteMs } from '@framegate/contract';
import { untilAllEnded } from '../../test/faults/checkWorld.ts';
import { until } from '../../test/support/until.ts';
import { withSeconds } from '../figures.ts';
import { judge } from '../fleet/judge.ts';
import { type Member, type Role, startRoles } from '../fleet/roles.ts';
import { backUp, copyMember } from './backup.ts';
import { type ClusterWorld, openClusterWorld } from './clusterWorld.ts';
import type { Customer } from './customerRecords.ts';
import { playDrill } from './drill.ts';
import { type Pace, playFaults } from './playFaults.ts';
import { startProduct } from './product.ts';
import { errorsOf, phaseTable } from './report.ts';
import { startCustomers } from './startCustomers.ts';

const plenty = 1_000_000_000;
/** How long everything may take to end when the customers have gone: a lost call's lease, and more. */
const endedWithinMs = 4 * minuteMs;

/**
 * Plays rolls and faults on a whole cluster under load, and the drill of backup and restore after them, while a product
 * takes payments and two followers read the ledger.
 * @param options.tools The folder of mongodump and mongorestore; without it a member's files are copied.
 * @returns The broken promises, in words, and the figures as Markdown tables.
 */
export async function runCluster(options: {
  sizes: Record<Role, number>;
  perSecond: { creates: number; reads: number };
  pace: Pace;
  /** The folder of mongodump and mongorestore; null takes the backup without them. */
  tools: string | null;
  /** Whether nothing fails before the drill. */
  drillOnly?: boolean;
  record: (line: string) => void;
}): Promise<{ wrong: string[]; tables: string[] }> {
  const note = withSeconds(options.record);
  const { sizes, perSecond, pace, tools } = options;
  const world = await openClusterWorld();
  const closing: (() => Promise<void>)[] = [() => world.close()];
  try {
    note('production is installed');
    const { apiKey } = await world.addAccount(plenty);
    const payer = await world.addAccount(plenty);
    const roles = await startRoles(world, sizes);
    note('all processes are ready');
    const command = await world.runAdmin([
      ...['operator-key', 'create', '--name', 'product'],
      ...['--scope', 'credits:read', '--scope', 'credits:write'],
    ]);
    if (command.status !== 0) throw new Error(`no operator key: ${command.stderr}`);
    const { operator_key: operatorKey } = JSON.parse(command.stdout) as { operator_key: string };
    const origins = world.operatorOrigins;
    const { accountId } = payer;
    const product = startProduct({ origins, operatorKey, accountId });
    closing.push(() => product.stop());
    const customerOptions = { baseUrl: world.baseUrl, apiKey, perSecond };
    const stopCustomers = await startCustomers(world.authority, customerOptions);
    const { phases, backup } = await playFaults({
      world,
      roles,
      pace,
      record: note,
      drillOnly: options.drillOnly ?? false,
      async takeBackup() {
        const { generations } = world.mongo.collections;
        const findMade = () => generations.findOne({ status: 'completed' });
        await until(async () => (await findMade()) !== null, 'one is completed', endedWithinMs);
        return tools === null ? copyMember(world.replicas) : backUp(world.replicas, tools);
      },
    });
    const customerReport = await stopCustomers();
    note('the last order has its end');
    await untilAllEnded(world, endedWithinMs);
    const drained = await roles.waitUntilDrained();
    const ledger = await world.runAdmin(['ledger', 'verify']);
    const judged = await judge(world, '', [], roles.members());
    const wrong = [
      ...errorsOf(phases, customerReport.requests),
      ...drained,
      ...(ledger.status === 0 ? [] : [`ledger verify: ${ledger.stdout}${ledger.stderr}`]),
      ...judged.wrong,
      ...(await findWrongOrders(world, customerReport.customers, judged.counts.refundedAfterKill)),
    ];
    const { completed, refundedAfterKill } = judged.counts;
    note(`${completed} generations completed, ${refundedAfterKill} refunded after a kill -9`);
    const { customers } = customerReport;
    for (const words of loggedErrors(roles.members())) note(`logged: ${words}`);
    const drill = await playDrill({
      world,
      roles,
      apiKey,
      backup,
      customers,
      product,
      record: note,
    });
    await backup.remove();
    return {
      wrong: [...wrong, ...drill.wrong],
      tables: [phaseTable(phases, customerReport), drill.table],
    };
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** Kept errors of the processes' logs, each with its count. */
function loggedErrors(members: readonly Member[]): string[] {
  const counts = new Map<string, number>();
  for (const member of members) {
    for (const [, message = ''] of member.log().matchAll(/^\{"level":50,.*"msg":"(.*)"\}$/gm)) {
      const words = `${member.role}: ${message}`;
      counts.set(words, (counts.get(words) ?? 0) + 1);
    }
  }
  return [...counts].map(([words, count]) => `${words} (${count} times)`);
}

/** Orders that ended as they should not: each is one generation, completed, and paid once. */
async function findWrongOrders(
  { mongo, ark, images }: ClusterWorld,
  customers: readonly Customer[],
  mayFail: number,
): Promise<string[]> {
  const wrong: string[] = [];
  const failed = customers.filter(({ end }) => end !== 'completed');
  if (failed.length > mayFail) {
    wrong.push(...failed.map(({ prompt, id, end }) => `${prompt} ${String(id)}: ${end}`));
  }
  for (const { prompt, isVideo, end, bytes } of customers) {
    const generations = await mongo.collections.generations.countDocuments({
      prompt: { $in: [prompt, `${prompt} [takes 1000 ms]`] },
    });
    if (generations !== 1) wrong.push(`${prompt}: ${generations} generations`);
    const accepted = (isVideo ? ark : images).accepted(prompt);
    if (accepted > 1) wrong.push(`${prompt}: was ordered ${accepted} times`);
    if (end === 'completed' && bytes < 100) wrong.push(`${prompt}: a file of ${bytes} bytes`);
  }
  return wrong;
}
