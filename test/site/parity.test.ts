import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogue, hourMs, type Model } from '@framegate/contract';
import { sampleHost } from '../../gateway/src/adapters/net/sampleHost.ts';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { endGeneration } from '../../gateway/src/application/generations/end/endGeneration.ts';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import { type Lot, lotKinds, type LotMovement } from '../../gateway/src/domain/credits/credits.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

/*
 * The promise: one balance, one price, one task list, one refund rule for the API and the site. The same request is
 * sent both ways, on two accounts with the same lots.
 */

let gateway: TestGateway;
let api: TestAccount;
let visitor: Visitor;
let siteAccountId: string;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  api = await gateway.addAccount({ credits: 0, hosts: [sampleHost] });
  visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'parity@example.com');
  const { accounts } = gateway.database;
  siteAccountId = (await accounts.findByEmail('parity@example.com'))?.id ?? '';
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const picture = `https://${sampleHost}/balloons.jpg`;

/** A request in both forms: the body for the API, and the fields of the studio's form. */
interface Wish {
  path: '/v1/videos' | '/v1/images';
  body: Record<string, unknown>;
  fields: Record<string, string>;
}

function wishFor(model: Model): fc.Arbitrary<Wish> {
  const common = {
    prompt: fc.constantFrom(
      'A paper boat',
      '  with spaces around  ',
      'Zwölf Boxkämpfer\nund mehr',
      '',
    ),
    resolution: fc.option(fc.constantFrom(...model.resolutions), { nil: undefined }),
    aspect_ratio: fc.option(fc.constantFrom(...model.aspectRatios), { nil: undefined }),
    seed: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
  };
  if (model.type === 'image') {
    return fc
      .record({ ...common, n: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }) })
      .map(({ prompt, ...parameters }) => wish(model, null, prompt, [], parameters));
  }
  return fc
    .record({
      ...common,
      host: fc.constantFrom(picture, picture, 'https://else.example/a.jpg'),
      mode: fc.constantFrom(...model.modes),
      duration_seconds: fc.option(fc.integer({ min: 3, max: 16 }), { nil: undefined }),
      generate_audio: fc.constantFrom(true, undefined),
    })
    .map(({ prompt, mode, host, ...parameters }) => {
      const inputs = mode === 'text-to-video' ? [] : [host];
      return wish(model, mode, prompt, inputs, parameters);
    });
}

function wish(
  model: Model,
  mode: string | null,
  prompt: string,
  urls: string[],
  parameters: Record<string, unknown>,
): Wish {
  const sound = model.type === 'video' && !model.generateAudio ? { generate_audio: undefined } : {};
  const all: [string, unknown][] = Object.entries({ ...parameters, ...sound });
  const given = all.filter(([, value]) => value !== undefined);
  const role = mode === 'image-to-video' ? 'first_frame' : 'reference';
  return {
    path: model.type === 'video' ? '/v1/videos' : '/v1/images',
    body: {
      model: model.id,
      ...(mode !== null && { mode }),
      prompt,
      ...(urls.length > 0 && { inputs: urls.map((url) => ({ type: 'image', url, role })) }),
      parameters: Object.fromEntries(given),
    },
    fields: {
      model: model.id,
      mode: mode ?? '',
      prompt,
      ...Object.fromEntries(urls.map((url) => [mode === 'image-to-video' ? role : 'image_1', url])),
      ...Object.fromEntries(given.map(([name, value]) => [`parameters.${name}`, String(value)])),
    },
  };
}

const wishes = fc.constantFrom(...catalogue).chain(wishFor);

const lots = fc.array(
  fc.record({
    kind: fc.constantFrom(...lotKinds),
    amount: fc.integer({ min: 1, max: 500 }),
    hours: fc.constantFrom(null, 1, 1, 24),
    age: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 0, maxLength: 6 },
);

async function giveLots(accountId: string, given: readonly Lot[]): Promise<void> {
  const counts = { inFlightCredits: 0, running: 0, waiting: 0, createBucket: null };
  await gateway.database.changeAccount(accountId, (before) => ({
    after: { ...before, ...counts, lots: [...given] },
    result: undefined,
  }));
}

async function stateOf(accountId: string): Promise<Account> {
  const found = await gateway.database.accounts.find(accountId);
  if (!found) throw new Error('no such account');
  return found;
}

/** The parts that must be equal both ways: everything except names, times and a seed chosen by the server. */
function comparable(generation: Generation, hasSeed: boolean) {
  const { seed, ...parameters } = generation.parameters;
  const makers = ['accountId', 'channel', 'keyId', 'madeBy'];
  const names = ['id', ...makers, 'requestId', 'replay', 'leasedBy'];
  const times = ['createdAt', 'deadlineAt', 'dueAt', 'endedAt', 'tidyAt', 'leaseUntil'];
  // Its place among the changes of its account.
  const own = new Set([...names, ...times, 'endSequence']);
  return {
    ...Object.fromEntries(Object.entries(generation).filter(([name]) => !own.has(name))),
    parameters: hasSeed ? { ...parameters, seed } : parameters,
    waitsFor: generation.deadlineAt - generation.createdAt,
    timeline: generation.timeline.map(({ what }) => what),
  };
}

const amounts = (movements: readonly LotMovement[]) =>
  movements.map(({ lotId, kind, amount, expiresAt }) => ({ lotId, kind, amount, expiresAt }));

/** Fails a generation as a worker does. */
async function fail(generation: { id: string; accountId: string }): Promise<void> {
  const { database, clock } = gateway;
  const leased = await database.generations.acquireLease(generation, 30_000);
  if (!leased) throw new Error('another process has it');
  // The part of a worker's dependencies that ending a generation uses while nothing is parked.
  const deps = {
    database,
    clock,
    random: gateway.random,
    log: collectLog().log,
    outputsKeptMs: hourMs,
    promptsKeptMs: hourMs,
    reachFaultPoint: () => undefined,
  } as unknown as AppCore;
  const failure = { code: 'generation_failed' } as const;
  await endGeneration(deps, leased, { status: 'failed', failure, note: 'for the test' });
}

describe('the API and the site', () => {
  test('take the same request alike: price, lots and their order, record, refusal, refund', async () => {
    let made = 0;
    let refused = 0;
    const property = fc.asyncProperty(wishes, lots, async (wished, given) => {
      const nowMs = gateway.clock.now();
      const same = given.map(({ kind, amount, hours, age }, index): Lot => ({
        id: `lot_${index}`,
        kind,
        amount,
        remaining: amount,
        expiresAt: hours === null ? null : nowMs + hours * hourMs,
        createdAt: nowMs - age,
      }));
      await giveLots(api.accountId, same);
      await giveLots(siteAccountId, same);
      const byApi = await api.post(wished.path, wished.body);
      const form = await visitor.post('/studio', { do: 'update', ...wished.fields });
      const shown = /<strong>([\d,]+) credits<\/strong>/.exec(form.text)?.[1]?.replaceAll(',', '');
      const bySite = await visitor.post('/studio', {
        form_key: form.field('form_key'),
        shown_credits: form.field('shown_credits'),
        do: 'create',
        ...wished.fields,
      });

      const [apiAccount, siteAccount] = [
        await stateOf(api.accountId),
        await stateOf(siteAccountId),
      ];
      expect(siteAccount.lots).toEqual(apiAccount.lots);
      expect(siteAccount.inFlightCredits).toBe(apiAccount.inFlightCredits);
      if (byApi.status !== 202) {
        expect(bySite.status).toBe(byApi.status);
        refused += 1;
        return;
      }
      made += 1;
      const apiId = String(byApi.json['id']);
      const siteId = bySite.path.replace('/studio?generation=', '');
      const { generations, ledger } = gateway.database;
      const [one, two] = [await generations.find(apiId), await generations.find(siteId)];
      if (!one || !two) throw new Error('a generation is missing');
      expect([one.channel, one.keyId, two.channel, two.keyId]).toEqual([
        'api',
        api.keyId,
        'pc',
        null,
      ]);
      const hasSeed = 'parameters.seed' in wished.fields;
      expect(comparable(two, hasSeed)).toEqual(comparable(one, hasSeed));
      expect(Number(shown)).toBe(one.costCredits);

      await fail(one);
      await fail(two);
      const [apiEnd, siteEnd] = [await generations.find(apiId), await generations.find(siteId)];
      if (!apiEnd || !siteEnd) throw new Error('a generation is missing');
      expect(comparable(siteEnd, hasSeed)).toEqual(comparable(apiEnd, hasSeed));
      const [apiAfter, siteAfter] = [await stateOf(api.accountId), await stateOf(siteAccountId)];
      expect(siteAfter.lots).toEqual(apiAfter.lots);
      expect(siteAfter.lots).toEqual(same);
      for (const [accountId, id] of [
        [api.accountId, apiId],
        [siteAccountId, siteId],
      ] as const) {
        const [refund, charge] = await ledger.listNewest(accountId, null, 2);
        expect([charge?.kind, charge?.generationId]).toEqual(['charge', id]);
        expect([refund?.kind, refund?.generationId]).toEqual(['refund', id]);
        expect(amounts(charge?.movements ?? [])).toEqual(amounts(one.charge));
        expect(refund?.amount).toBe(one.costCredits);
      }
      // Each channel reads the other's generation as its own task record.
      const record = (await visitor.get(`/generations/${siteId}`)).text;
      expect(record).toContain('refunded');
    });
    await fc.assert(property, { numRuns: 40, endOnFailure: true });
    // The property is meaningful only if both kinds occurred.
    expect(made).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(5);
  }, 120_000);
});
