import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { type Answered, createOnce } from '../../test/faults/createOnce.ts';
import { faultyUri, openFailPoint } from '../../test/faults/failPoint.ts';
import {
  type FaultAccount,
  type FaultWorld,
  openFaultWorld,
} from '../../test/faults/faultWorld.ts';
import { holdsCommits, killInsideTransaction } from '../../test/faults/killInsideTransaction.ts';
import { startReplicaSet, type TestReplicaSet } from '../../test/faults/startReplicaSet.ts';

/** A separate server: the lifetime of abandoned transactions is a server-wide setting. */
let server: TestReplicaSet;
let world: FaultWorld;
let failPoint: Awaited<ReturnType<typeof openFailPoint>>;
beforeAll(async () => {
  server = await startReplicaSet(1, 'locked');
  failPoint = await openFailPoint(server.uri);
  // The test's own connection also ends sessions of dead processes, so the fault must cover it.
  world = await openFaultWorld({ uri: faultyUri(server.uri) });
  // The server itself ends no transaction during the test.
  const lifetime = { setParameter: 1, transactionLifetimeLimitSeconds: 3600 };
  await world.mongo.client.db('admin').command(lifetime);
});
afterAll(async () => {
  await failPoint.close();
  await world.close();
  await server.stop();
});

/** Creates one after the other, at least one, until `isOver` of the last response. */
async function createUntil(
  origin: string,
  account: FaultAccount,
  isOver: (response: Answered) => boolean,
): Promise<Answered[]> {
  const responses: Answered[] = [];
  for (;;) {
    const response = await createOnce(origin, account);
    responses.push(response);
    if (isOver(response)) return responses;
  }
}

test('a process killed inside transactions holds up only their accounts, until its sessions are ended', async () => {
  const [victim, other] = await Promise.all([
    world.start({ ROLE: 'api', ...holdsCommits }),
    world.start({ ROLE: 'api' }),
  ]);
  const accounts: FaultAccount[] = [];
  for (let count = 0; count < 12; count += 1) accounts.push(await world.addAccount(1_000_000));
  const [locked, free] = [accounts.slice(0, 2), accounts.slice(2)];
  // Every process has seen each account once.
  for (const account of accounts) await createOnce(other.origin, account);

  // The locks stay while the other process cannot end the dead one's sessions.
  await failPoint.set({ failCommands: ['killSessions'], errorCode: 91 }, 'always');
  await killInsideTransaction({ uri: server.uri, victim, accounts: locked });
  let isServed = false;
  const refusing = Promise.all(
    locked.map((account) => createUntil(other.origin, account, () => isServed)),
  );
  const served = await Promise.all(
    free.map((account) => {
      let left = 20;
      return createUntil(other.origin, account, () => (left -= 1) === 0);
    }),
  );
  isServed = true;
  expect(served.flat().filter(({ status }) => status !== 202)).toEqual([]);
  for (const { status, retryAfter } of (await refusing).flat()) {
    expect({ status, told: retryAfter !== null }).toEqual({ status: 503, told: true });
  }

  await failPoint.off();
  await Promise.all(
    locked.map((account) => createUntil(other.origin, account, ({ status }) => status === 202)),
  );
  expect(await verifyLedger({ ledgerAudit: world.ledgerAudit })).toMatchObject({ problems: [] });
});
