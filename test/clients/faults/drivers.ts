import { join } from 'node:path';
import { dayMs } from '@framegate/contract';
import { createFramegate } from '../../../integrations/ai-sdk/src/index.ts';
import { runBridge } from '../../../integrations/typescript/src/cli/mcp/bridge.ts';
import { Framegate } from '../../../integrations/typescript/src/node/index.ts';
import { completeSettings } from '../../../integrations/typescript/src/settings.ts';
import { n8nContext } from '../../leaks/n8nStandIn.ts';
import { zapierTools } from '../../leaks/zapierStandIn.ts';
import { mustRun } from '../../support/runProgram.ts';
import { packageFolder, withoutTraces } from '../python/environment.ts';
import { hurriedPlatform } from '../typescript/hurriedPlatform.ts';
import type { PackageName } from './table.ts';

/** A gateway and one of its keys, as a user enters them. */
export interface Login {
  baseUrl: string;
  apiKey: string;
}

/** Outcome of an order: the id that the user gets, and the number of runs of the step. */
export interface Made {
  id: unknown;
  attempts: number;
}

const order = { model: 'image-b-2', prompt: 'A paper boat' };

/** Loaded by address instead of imported: the integrations' types come from packages that only they install. */
const load = (file: string): Promise<unknown> =>
  import(new URL(`../../../integrations/${file}`, import.meta.url).href);

/** An image, created and awaited by the code of each package. @param python Folder of Python's programs. */
export const drivers = (python: string): Record<PackageName, (login: Login) => Promise<Made>> => ({
  n8n: once(async (login) => {
    const { Framegate: Node } = (await load('n8n/nodes/Framegate/Framegate.node.ts')) as {
      Framegate: new () => { execute(this: object): Promise<[{ json: { id: string } }[]]> };
    };
    const parameters = { resource: 'image', operation: 'create', ...order, wait: true };
    const [[item]] = await new Node().execute.call(n8nContext(login, parameters));
    return item?.json.id;
  }),
  Zapier: inZapier,
  TypeScript: once(async ({ baseUrl, apiKey }) => {
    const framegate = new Framegate({ baseUrl, apiKey, platform: hurriedPlatform() });
    // Its hour also passes fifty times as fast.
    return (await framegate.images.createAndWait(order, { timeoutMs: dayMs })).id;
  }),
  Python: once(async ({ baseUrl, apiKey }) => {
    const env = {
      ...withoutTraces,
      PYTHONPATH: join(packageFolder, 'src'),
      FRAMEGATE_URL: baseUrl,
      FRAMEGATE_KEY: apiKey,
    };
    const program = `
import time, framegate
client = framegate.Framegate(sleep=lambda seconds: time.sleep(min(seconds, 0.1)))
print(client.images.create_and_wait(model="${order.model}", prompt="${order.prompt}").id)`;
    return (await mustRun(join(python, 'python'), ['-c', program], { env })).trim();
  }),
  'AI SDK': once(async ({ baseUrl: baseURL, apiKey }) => {
    const { generateImage } = (await load('ai-sdk/node_modules/ai/dist/index.js')) as {
      generateImage: (
        order: object,
      ) => Promise<{ providerMetadata: { framegate: { images: { id: unknown }[] } } }>;
    };
    const { prompt, model } = order;
    const framegate = createFramegate({ baseURL, apiKey });
    const { providerMetadata } = await generateImage({ prompt, model: framegate.image(model) });
    return providerMetadata.framegate.images[0]?.id;
  }),
  'MCP bridge': once(overMcp),
});

function once(make: (login: Login) => Promise<unknown>): (login: Login) => Promise<Made> {
  return async (login) => ({ id: await make(login), attempts: 1 });
}

/** Repeats the step as often as it asks to be rerun, as Zapier does, but without pauses. */
async function inZapier({ baseUrl, apiKey }: Login): Promise<Made> {
  const { app } = (await load('zapier/src/app.ts')) as {
    app: {
      creates: Record<
        string,
        { operation: { perform(z: object, bundle: object): Promise<{ id: string }> } }
      >;
    };
  };
  const authData = { base_url: baseUrl, api_key: apiKey };
  const bundle = { inputData: order, inputDataRaw: order, authData, meta: {} };
  const tools = zapierTools([]);
  for (let attempts = 1; ; attempts += 1) {
    try {
      const made = await app.creates['create_image']?.operation.perform(tools, bundle);
      return { id: made?.id, attempts };
    } catch (error) {
      const [, delay] = (error as { handedOver?: unknown[] }).handedOver ?? [];
      if (typeof delay !== 'number' || attempts > 20) throw error;
    }
  }
}

/** A client of `framegate mcp` that sends each line after the response to the previous one. */
async function overMcp({ baseUrl, apiKey }: Login): Promise<unknown> {
  interface ApiResponse {
    id?: number;
    result?: { structuredContent?: { id: string; status: string } };
  }
  let answered = Promise.withResolvers<ApiResponse>();
  let next = 0;
  let made: { id: string; status: string } | undefined;
  const ask = (method: string, params: object) => {
    answered = Promise.withResolvers<ApiResponse>();
    return JSON.stringify({ jsonrpc: '2.0', id: (next += 1), method, params });
  };
  const tool = (name: string, args: object) => ask('tools/call', { name, arguments: args });
  async function* lines() {
    const clientInfo = { name: 'test', version: '1.0.0' };
    yield ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await answered.promise;
    yield JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    yield tool('create_image', order);
    for (;;) {
      const response = await answered.promise;
      made = response.result?.structuredContent;
      if (made === undefined) throw new Error(JSON.stringify(response));
      if (made.status === 'completed') return;
      yield tool('wait_for_generation', { id: made.id });
    }
  }
  await runBridge(completeSettings({ baseUrl, apiKey, platform: hurriedPlatform() }), {
    lines: lines(),
    write: (message) => {
      const response = message as ApiResponse;
      if (response.id !== undefined) answered.resolve(response);
    },
    signal: new AbortController().signal,
  });
  return made?.id;
}
