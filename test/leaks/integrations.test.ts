import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { failureSentences } from '../../integrations/zapier/src/sentences.ts';
import { testTogether } from '../support/testTogether.ts';
import { canaryPattern, namePattern } from './canaryProvider.ts';
import { canaryCases, type CanaryWorld, startCanaryWorld } from './canaryWorld.ts';
import { n8nContext } from './n8nStandIn.ts';
import { zapierTools } from './zapierStandIn.ts';

/*
 * The code of both integrations as it is in the tree, against a gateway whose providers say canaries: everything that a
 * workflow or a Zap would get is searched. Real n8n and Zapier's own core are in test/n8n and test/zapier. Imported by
 * URL, because the types come from packages that only the integrations install.
 */

type Perform = (z: object, bundle: object) => Promise<unknown>;
interface Zapier {
  creates: Record<string, { operation: { perform: Perform } }>;
  searches: Record<string, { operation: { perform: Perform } }>;
  triggers: Record<string, { operation: { perform: Perform } }>;
  hydrators: { downloadFile: Perform };
}
interface N8nNode {
  execute(this: object): Promise<unknown>;
  methods: { listSearch: Record<string, (this: object) => Promise<unknown>> };
}

let world: CanaryWorld;
let zapier: Zapier;
let node: N8nNode;

beforeAll(async () => {
  world = await startCanaryWorld();
  const load = (file: string): Promise<unknown> =>
    import(new URL(`../../integrations/${file}`, import.meta.url).href);
  zapier = ((await load('zapier/src/app.ts')) as { app: Zapier }).app;
  const loaded = await load('n8n/nodes/Framegate/Framegate.node.ts');
  node = new (loaded as { Framegate: new () => N8nNode }).Framegate();
});

afterAll(async () => {
  await world.stop();
});

/** Outcome of a run, as text: its results, or the error with everything that it carries. */
async function outcomeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await run());
  } catch (error) {
    const { name, message } = error as Error;
    return JSON.stringify({ name, message, ...(error as object) });
  }
}

/** Makes a generation and waits for its end. */
async function made(body: Record<string, unknown>): Promise<string> {
  const created = await world.account.post('mode' in body ? '/v1/videos' : '/v1/images', body);
  const id = String(created.json['id']);
  await world.account.untilEnded(id);
  return id;
}

const baseUrl = () => `${world.gateway.origin}/v1`;

function inN8n(parameters: Record<string, unknown>): Promise<string> {
  const { apiKey } = world.account;
  const context = n8nContext({ baseUrl: baseUrl(), apiKey }, parameters);
  return outcomeOf(() => node.execute.call(context));
}

function inZapier(perform: Perform | undefined, inputData: object): Promise<string> {
  const kept: unknown[] = [];
  const authData = { base_url: baseUrl(), api_key: world.account.apiKey };
  const run = async () => {
    if (!perform) throw new Error('the app has no such step');
    return perform(zapierTools(kept), { inputData, authData, meta: {} });
  };
  return outcomeOf(async () => [await outcomeOf(run), kept]);
}

describe('no provider text reaches a workflow or a Zap (I8)', () => {
  const cases = canaryCases.map(([name, outcome, body]): [string, () => Promise<void>] => [
    name,
    async () => {
      const id = await made(body);
      const read = { resource: 'generation', generationId: id, download: true };
      const find = zapier.searches['find_generation']?.operation.perform;
      const n8n = [
        await inN8n({ ...read, operation: 'get', simplify: false }),
        await inN8n({ ...read, operation: 'wait' }),
      ];
      const zaps = [
        await inZapier(find, { generation: id }),
        await inZapier(find, { generation: id, wait: 'no' }),
        await inZapier(zapier.hydrators.downloadFile, { generation: id, index: 0 }),
      ];
      for (const seen of [...n8n, ...zaps.slice(1, 2)]) expect(seen).toContain(outcome);
      expect(zaps[0]).toContain(isFailureCode(outcome) ? failureSentences[outcome] : outcome);
      const file = /ftypisom|IHDR/;
      const isFile = outcome === 'completed';
      expect([file.test(n8n.join()), file.test(zaps.join())]).toEqual([isFile, isFile]);
      const seen = [...n8n, ...zaps].join('\n');
      expect(seen).not.toMatch(canaryPattern);
      expect(seen).not.toMatch(namePattern);
    },
  ]);
  testTogether(Object.fromEntries(cases));

  test('through a create request or the lists of models', async () => {
    const prompt = 'refused';
    const model = 'alpha-2.0-mini';
    const order = { resource: 'video', operation: 'create', mode: 'text-to-video', model, prompt };
    const { creates, triggers } = zapier;
    const video = { model, mode: 'text-to-video', prompt, wait: 'no' };
    const list = node.methods.listSearch['searchVideoModels'];
    const { apiKey } = world.account;
    const seen = [
      await inN8n({ ...order, wait: false }),
      await inN8n({ resource: 'model', operation: 'getAll' }),
      await outcomeOf(() => list?.call(n8nContext({ baseUrl: baseUrl(), apiKey }, {})) ?? fail()),
      await inZapier(creates['create_video']?.operation.perform, video),
      await inZapier(triggers['video_model_list']?.operation.perform, {}),
    ];
    expect(seen.map((each) => each.includes('alpha-2.0-mini'))).toEqual(seen.map(() => true));
    expect(seen.join('\n')).not.toMatch(canaryPattern);
    expect(seen.join('\n')).not.toMatch(namePattern);
  });
});

const isFailureCode = (text: string): text is keyof typeof failureSentences =>
  Object.hasOwn(failureSentences, text);

function fail(): never {
  throw new Error('the node has no such list');
}
