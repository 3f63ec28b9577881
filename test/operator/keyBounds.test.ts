import { expect, test } from '@jest/globals';
import {
  buildOperatorOpenApi,
  isWrite,
  type OperatorOperation,
  operatorOperations,
} from '@framegate/contract/operator';
import { shareReports } from '../../gateway/src/application/operator/sharedReports.ts';
import type { FindUsage } from '../../gateway/src/application/ports/operator.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

/* The limits of one operator key, and the log of its reads. */

const { world, operator } = useOperatorWorld({ OPERATOR_CREDITS_PER_DAY: '100' });

const logOf = async (target: string) => {
  const { staffAudit } = world.gateway.collections;
  return staffAudit.find({ targets: target }).sort({ _id: 1 }).toArray();
};
const actionsOf = async (target: string) => (await logOf(target)).map(({ action }) => action);

test('a key moves a limited number of credits a day, in both directions, and refused or repeated moves do not count', async () => {
  const few = await world.addKey();
  const id = await world.addCustomer();
  const grant = (amount: number, more: object = {}) =>
    few.post(`/accounts/${id}/credits/grants`, { amount, kind: 'purchased', ...more });
  const refused = { status: 402, code: 'key_limit_reached' };

  expect((await grant(60, { reference: 'payment-1' })).status).toBe(201);
  expect((await grant(60, { reference: 'payment-1' })).status).toBe(201);
  const taken = { amount: -500, reason: 'more than there is' };
  expect(errorOf(await few.post(`/accounts/${id}/credits/adjustments`, taken)).status).toBe(402);
  expect(errorOf(await grant(50))).toMatchObject(refused);
  const plan = { name: 'big', credits: 50 };
  expect(errorOf(await few.post(`/accounts/${id}/plan`, plan))).toMatchObject(refused);
  expect((await few.post(`/accounts/${id}/plan`, { ...plan, credits: 10 })).status).toBe(201);
  expect(errorOf(await few.post(`/accounts/${id}/plan/change`, plan))).toMatchObject(refused);
  const [, , last] = await Promise.all([grant(20), grant(20), few.get(`/accounts/${id}/credits`)]);
  expect(last.status).toBe(200);
  const { json } = await few.get(`/accounts/${id}/credits`);
  expect(json['available']).toBe(90);
  // Another key has a sum of its own.
  expect((await operator.post(`/accounts/${id}/plan/end`, {})).status).toBe(200);
});

test('reads with prompts leave one entry for each key, account and day, and other reads leave none', async () => {
  const [first, second] = [await world.addCustomer(), await world.addCustomer()];
  const before = (await actionsOf(first)).length;
  for (const id of [first, first, second]) await operator.get(`/accounts/${id}/generations`);
  await operator.get(`/accounts/${first}`);
  expect((await actionsOf(first)).slice(before)).toEqual(['api listGenerations']);
  expect((await actionsOf(second)).slice(before)).toEqual(['api listGenerations']);
  const other = await world.addKey({ name: 'other' });
  await other.get(`/accounts/${first}/generations`);
  expect((await logOf(first)).at(-1)).toMatchObject({
    accountId: other.keyId,
    email: 'operator key other',
    role: 'operator',
  });
});

test('every read whose response can contain a prompt leaves an entry', () => {
  const { components } = buildOperatorOpenApi() as unknown as {
    components: { schemas: Record<string, object> };
  };
  const reaches = (schema: object, seen = new Set<string>()): boolean => {
    const text = JSON.stringify(schema);
    if (text.includes('"prompt":')) return true;
    return [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].some(([, name = '']) => {
      if (seen.has(name)) return false;
      seen.add(name);
      return reaches(components.schemas[name] ?? {}, seen);
    });
  };
  const { paths } = buildOperatorOpenApi() as unknown as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const shows = (operation: OperatorOperation) =>
    !isWrite(operation) &&
    reaches(
      (paths[operation.path]?.[operation.method.toLowerCase()]?.responses as never)[
        operation.status
      ],
    );
  const all = Object.entries<OperatorOperation>(operatorOperations);
  const named = (is: (operation: OperatorOperation) => boolean) =>
    all.filter(([, operation]) => is(operation)).map(([id]) => id);
  expect(named((operation) => operation.showsPrompts === true)).toEqual(named(shows));
});

test('a sign-in link that is returned again is recorded once', async () => {
  const body = { email: 'ada@links.example', email_verified: true };
  const { json } = await operator.post('/accounts', body);
  const id = String(json['id']);
  const path = `/accounts/${id}/sign-in-links`;
  const first = await operator.post(path, {}, 'visit');
  for (let time = 0; time < 2; time += 1) {
    expect((await operator.post(path, {}, 'visit')).json['url']).toBe(first.json['url']);
  }
  const entries = (await logOf(id)).filter(({ action }) => action === 'api createSignInLink');
  expect(entries.map(({ result }) => result)).toEqual(['', 'The same link was handed out again.']);
});

test('each report is computed once a minute, and a failed one again', async () => {
  const begun: { by: string; end: (error?: Error) => void }[] = [];
  const findUsage: FindUsage = ({ by }) =>
    new Promise((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve({ counts: [], costs: [] }));
      begun.push({ by: by.join(), end });
    });
  let nowMs = 1_000_000;
  const find = shareReports(findUsage, { now: () => nowMs });
  const ask = (by: 'day' | 'model') => find({ from: 0, until: 1, by: [by], limit: 10 });
  const all = [ask('day'), ask('day'), ask('model')];
  expect(begun.map(({ by }) => by)).toEqual(['day', 'model']);
  begun[0]?.end();
  begun[1]?.end(new Error('too late'));
  await Promise.allSettled(all);
  await ask('day');
  expect(begun).toHaveLength(2);
  for (const by of ['day', 'model'] as const) {
    nowMs += 60_001;
    const again = ask(by);
    begun.at(-1)?.end();
    await again;
  }
  expect(begun.map(({ by }) => by)).toEqual(['day', 'model', 'day', 'model']);
});
