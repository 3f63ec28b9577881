import { minuteMs } from '@framegate/contract';
import { openDatabase } from '../../gateway/src/compose/openDatabase.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { untilAllEnded } from '../../test/faults/checkWorld.ts';
import { collectLog } from '../../test/support/mongod.ts';
import { head, row, seconds } from '../figures.ts';
import { type Member, type Roles, startRoles } from '../fleet/roles.ts';
import type { Backup } from './backup.ts';
import type { ClusterWorld } from './clusterWorld.ts';
import type { Customer } from './customerRecords.ts';
import type { Product } from './product.ts';
import { fetchAgain } from './startCustomers.ts';

/** Maximum time after the restore for the end of work that was unfinished at the backup, in ms. */
const endedWithinMs = 4 * minuteMs;
/** Longest time in which followers hold the ledger of the restored database, in ms. */
const settledWithinMs = 2 * minuteMs;

/**
 * Loses every process and every member while the product takes payments, and continues with the backup: a second
 * replica set, the same secrets, the same bucket. The product's followers end with the restored books by themselves.
 * @returns All problems, and the times as a Markdown table.
 */
export async function playDrill(options: {
  world: ClusterWorld;
  roles: Roles;
  apiKey: string;
  backup: Backup;
  customers: readonly Customer[];
  product: Product;
  record: (line: string) => void;
}): Promise<{ wrong: string[]; table: string }> {
  const { world, backup, customers, product, record: note } = options;
  await Promise.all(options.roles.members().map((each) => each.stop()));
  await world.replicas.stop();
  note('everything but the bucket is lost');

  const lostAt = performance.now();
  const replicas = await backup.restore();
  const restored = performance.now();
  const wrong: string[] = [];
  const verify = async (when: string) => {
    const { status, stdout, stderr } = await world.runAdmin(['ledger', 'verify'], env);
    if (status !== 0) wrong.push(`ledger verify, ${when}: ${stdout}${stderr}`);
  };
  const env = { MONGODB_URI: replicas.uri };
  const second = { ...world, start: (own?: object) => world.start({ ...own, ...env }) };
  let members: readonly Member[] = [];
  const mongo = await openDatabase(loadConfig(env), collectLog());
  try {
    await verify('after the restore');
    const verified = performance.now();
    members = (await startRoles(second, { api: 1, worker: 1 })).members();
    const completed = { status: 'completed' } as const;
    const completedIds = await mongo.collections.generations.distinct('_id', completed);
    const before = customers.find(
      ({ id, end }) => end === 'completed' && completedIds.includes(id),
    );
    if (!before?.id) throw new Error('nothing had been completed before the backup');
    const { authority, baseUrl } = world;
    const bytes = await fetchAgain(authority, { baseUrl, apiKey: options.apiKey, id: before.id });
    const served = performance.now();
    if (bytes !== before.bytes) wrong.push(`${before.id}: ${bytes} bytes after the restore`);
    note('the restored one serves');

    await untilAllEnded({ mongo }, endedWithinMs);
    const settling = performance.now();
    wrong.push(...(await product.settle(mongo.collections, settledWithinMs)));
    note(`${product.restores()} times a follower was told of the restore`);
    if (product.restores() < 2) wrong.push('a follower was not told of the restore');
    const settled = performance.now();
    await verify('after all that was under way has ended');
    const allIds = await mongo.collections.generations.distinct('_id');
    const missing = customers.filter(({ id }) => id !== null && !allIds.includes(id));
    const lostFrom = Math.min(backup.to, ...missing.map((each) => each.acceptedAt ?? Infinity));
    const rows = [
      [`backup: ${backup.kind}`, seconds(backup.to - backup.from)],
      ['size', `${(backup.bytes / 1e6).toFixed(1)} MB`],
      ['generations accepted in all, and in the backup', `${customers.length}, ${allIds.length}`],
      ['RPO: lost of the time before the end of the backup', seconds(backup.to - lostFrom)],
      ['restore into a second replica set', seconds(restored - lostAt)],
      ['ledger verify', seconds(verified - restored)],
      ['api and worker started, a file downloaded', seconds(served - verified)],
      ['RTO: all of these', seconds(served - lostAt)],
      ['payments, each booked once afterwards', product.payments()],
      ['two followers hold the ledger, after payments end', seconds(settled - settling)],
    ];
    return { wrong, table: [head(['drill', '']), ...rows.map(row)].join('\n') };
  } finally {
    await Promise.all(members.map((each) => each.stop()));
    await mongo.close();
    await replicas.stop();
  }
}
