import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runNode } from '../../integrations/n8n/test/support/runNode.mts';
import { type SampleWorld, startSampleWorld } from '../docs/sampleWorld.ts';

/* The nodes that a gateway's own /docs shows for n8n, run by the built package. */

let world: SampleWorld;

beforeAll(async () => {
  world = await startSampleWorld();
});
afterAll(() => world.stop());

interface Canvas {
  nodes: { type: string; parameters: Record<string, unknown> }[];
  connections: Record<string, unknown>;
}

test('every node of the documentation runs', async () => {
  const samples = world.samples.filter(({ language }) => language === 'n8n');
  const told = await Promise.all(
    samples.map(async (sample) => {
      const account = await world.addAccount();
      const { nodes } = JSON.parse(await world.runnable(sample, account)) as Canvas;
      const [node, ...others] = nodes.filter(
        ({ type }) => type === 'n8n-nodes-framegate.framegate',
      );
      expect(others).toEqual([]);
      const baseUrl = `${world.origin}/v1`;
      const [item] = await runNode({
        baseUrl,
        apiKey: account.apiKey,
        params: node?.parameters ?? {},
      });
      const { status, object, id, available } = item?.json ?? {};
      return [sample.title, status ?? object ?? id ?? typeof available];
    }),
  );
  expect(told).toEqual([
    ['Quick start', 'completed'],
    ['n8n', 'completed'],
    ['From text alone', 'completed'],
    ['From a first and a last frame', 'completed'],
    ['From references of several kinds', 'completed'],
    ['With a real person, whose consent you hold', 'completed'],
    ['From text alone', 'completed'],
    ['With a reference image', 'completed'],
    ['Read a generation', 'completed'],
    ['List the models your key can use', 'alpha-2.5'],
    ['Read the credit balance', 'credit_balance'],
  ]);
});
