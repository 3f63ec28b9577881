import { argon2Passwords } from '../../../gateway/src/adapters/system/passwords.ts';
import { grantCredits } from '../../../gateway/src/application/credits/grantCredits.ts';
import { createKey } from '../../../gateway/src/application/keys/keys.ts';
import { operatorReference } from '../../../gateway/src/domain/credits/credits.ts';
import { maxFailures } from '../../../gateway/src/domain/providers/breaker.ts';
import { video } from '../../support/bodies.ts';
import type { FakeArk } from '../../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

/** A customer with a problem that support receives. */
export interface Patron extends TestAccount {
  email: string;
  /** The key's end, as pages show it. */
  keyEnd: string;
  /** The payment of some credits. */
  order: string;
}

/** A generation of a customer. */
export interface Made {
  id: string;
  patron: Patron;
  code: string;
  requestId: string;
  taskId: string;
}

export interface BadDay {
  patrons: Patron[];
  /** Ended failures. */
  failed: Made[];
  /** Generations that wait for the unavailable provider. */
  waiting: Made[];
  /** Made before the trouble, with the URL of its file. */
  delivered: Made & { url: string };
}

export const failures = 300;
const names = ['maria', 'kofi', 'yuki', 'lena', 'omar', 'priya', 'jonas', 'chloe', 'mateo', 'wei'];
const models = ['alpha-2.0-mini', 'alpha-2.0-fast', 'beta-3.0'];
/** The provider's report of a failed task, and the failure that customers see. */
const fates = [
  ['breaks', 'generation_failed', { code: 'InternalServiceError', message: 'try later' }],
  ['is too grim', 'output_rejected', { code: 'Sensitive', message: 'content_policy violation' }],
  ['shows a star', 'real_person_rejected', { code: 'Sensitive', message: 'a real person' }],
] as const;

/** Fills a gateway with the day: most failures come before the provider goes down, the last ones as it does. */
export async function fillBadDay(gateway: TestGateway, ark: FakeArk): Promise<BadDay> {
  for (const [prompt, , error] of fates) {
    ark.script({ prompt, on: 'task', plan: { polls: 0, end: 'failed', error } });
  }
  ark.script({ prompt: 'is lost', on: 'submit', fault: { kind: 'html', status: 503 } });
  const patrons = await Promise.all(names.map((name, index) => addPatron(gateway, name, index)));
  const of = (index: number) => patrons[index % patrons.length] as Patron;
  const create = async (index: number, fate: string, code: string): Promise<Made> => {
    const patron = of(index);
    const body = video({
      model: models[index % models.length],
      prompt: `Scene ${String(index)} ${fate}`,
    });
    const { status, text, json, headers } = await patron.post('/v1/videos', body);
    if (status !== 202) throw new Error(`creating answered ${String(status)}: ${text}`);
    const requestId = String(headers.get('x-request-id'));
    return { id: String(json['id']), patron, code, requestId, taskId: '' };
  };
  const first = await create(0, 'goes well', '');
  const output = (await first.patron.untilEnded(first.id))['output'] as { urls: string[] };
  const delivered = { ...first, url: String(output.urls[0]) };

  const failed = await Promise.all(
    Array.from({ length: failures - maxFailures }, (_, index) => {
      const [fate, code] = fates[index % fates.length] ?? fates[0];
      return create(index, fate, code);
    }),
  );
  await untilEnded(gateway, failures - maxFailures);
  const tasks = new Map(ark.submitted().map(({ prompt, taskId }) => [prompt, String(taskId)]));
  for (const [index, made] of failed.entries()) {
    const [fate] = fates[index % fates.length] ?? fates[0];
    made.taskId = tasks.get(`Scene ${String(index)} ${fate}`) ?? '';
  }
  for (let index = 0; index < maxFailures; index += 1) {
    failed.push(await create(index, 'is lost', 'generation_failed'));
    await untilEnded(gateway, failed.length);
  }
  await closeOff(gateway, 5);
  const waiting = await Promise.all([0, 1, 2, 3].map((index) => create(index, 'waits', '')));
  const { generations } = gateway.collections;
  const parked = () => generations.countDocuments({ step: 'parked' });
  await until(async () => (await parked()) === waiting.length, 'they wait for the provider');
  await closeOff(gateway, 60);
  return { patrons, failed, waiting, delivered };
}

async function addPatron(gateway: TestGateway, name: string, index: number): Promise<Patron> {
  const { database, clock, random, pepper } = gateway;
  const email = `${name}@studio-${String(index)}.example`;
  const account = await gateway.addAccount({
    email,
    credits: 20_000,
    limits: { running: 100, waiting: 1_000 },
  });
  const order = `2026-11-${String(4711 + index)}`;
  const { accountId } = account;
  const deps = { database, clock, random, passwords: argon2Passwords, pepper };
  const grant = { accountId, amountCredits: 500, kind: 'purchased', expiresAt: null } as const;
  await grantCredits(deps, { ...grant, reason: null, reference: operatorReference(order) });
  const hosts = { hosts: [], models: [] };
  const { apiKey } = await createKey(deps, { accountId, name: `editor ${name}`, ...hosts });
  return { ...account, email, keyEnd: apiKey.slice(-4), order };
}

async function untilEnded(gateway: TestGateway, count: number): Promise<void> {
  const { generations } = gateway.collections;
  const ended = () => generations.countDocuments({ status: 'failed' });
  await until(async () => (await ended()) === count, `${String(count)} have failed`, 60_000);
}

/** No probe closes the circuit for this many minutes. After ten minutes, the model takes no orders. */
async function closeOff(gateway: TestGateway, minutes: number): Promise<void> {
  const { breakers } = gateway.collections;
  const openUntil = new Date(Date.now() + minutes * 60_000);
  const change = { $set: { openUntil }, $inc: { version: 1 } };
  await until(async () => (await breakers.updateOne({ _id: 'ark' }, change)).modifiedCount === 1);
}
