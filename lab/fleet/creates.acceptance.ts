import { expect, test } from '@jest/globals';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { clipOrder } from '../../test/faults/orders.ts';
import { clientCredits, repeatCreate } from '../../test/faults/patientClient.ts';
import { useFaultWorld } from '../../test/faults/useFaultWorld.ts';
import { createAll } from './createAll.ts';

const opened = useFaultWorld();

const count = 300;
const granted = 1_000 * clientCredits;

test('simultaneous creates of one account at two processes are each charged once, without an error of ours', async () => {
  const world = opened();
  const apis = await Promise.all([world.start({ ROLE: 'api' }), world.start({ ROLE: 'api' })]);
  const origins = apis.map(({ origin }) => origin);
  const orders = Array.from({ length: count }, (_, number) => clipOrder(`clip ${number}.`));
  const account = await world.addAccount(granted);
  const histories = await createAll(origins, account, orders, 32);
  // The other process gives the same response.
  const [one, other] = histories;
  if (one && other) await Promise.all(origins.map((origin) => repeatCreate(origin, one)));
  expect(histories.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(new Set(histories.map(({ generationId }) => generationId)).size).toBe(count);
  expect(await verifyLedger({ ledgerAudit: world.ledgerAudit })).toMatchObject({ problems: [] });
  const found = await world.mongo.collections.accounts.findOne({ _id: account.accountId });
  const spent = count * clientCredits;
  expect(found).toMatchObject({ inFlightCredits: spent, lots: [{ remaining: granted - spent }] });
}, 240_000);
