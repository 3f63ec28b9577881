import { beforeAll, expect, test } from '@jest/globals';
import type { N8nWorld } from './support/n8nWorld.ts';
import { useN8n } from './support/useN8n.ts';
import { readExamples } from './support/workflows.ts';

/* Requests of real n8n's editor to the node, and its findings in the examples. */

interface NodeType {
  name: string;
  version: number | number[];
  properties: { name: string }[];
  iconUrl?: { light: string; dark: string };
}

interface Example {
  nodes: { name: string; type: string; typeVersion: number; parameters: object }[];
}

const world = useN8n([]);
let { n8n } = {} as N8nWorld;
let types: NodeType[];
beforeAll(async () => {
  ({ n8n } = world());
  types = (await n8n.get('/types/nodes.json').then((response) => response.json())) as NodeType[];
});

const ask = (what: string, path: string, methodName: string, model: object = {}) =>
  n8n.request('POST', `/dynamic-node-parameters/${what}`, {
    path: `parameters.${path}`,
    methodName,
    nodeTypeAndVersion: { name: 'n8n-nodes-framegate.framegate', version: 1 },
    currentNodeParameters: { resource: 'video', operation: 'create', ...model },
    credentials: { framegateApi: { id: world().credentialIds[0], name: 'Framegate account' } },
  });

test('lists the models of the key, with their prices and inputs', async () => {
  const list = await ask('resource-locator-results', 'model', 'searchVideoModels');
  expect(list).toMatchObject({
    results: expect.arrayContaining([
      {
        name: 'Alpha 2.0 Mini (3 to 6 credits per second)',
        value: 'alpha-2.0-mini',
        description: expect.stringMatching(/^Text to Video.*; 4 to 10 seconds; 480p, 720p$/),
      },
    ]),
  });
});

test('offers the resolutions of the chosen model, and all where an expression chooses it', async () => {
  const resolutions = async (value: string) => {
    const model = { __rl: true, mode: 'id', value };
    const path = 'parameters.resolution';
    const choices = await ask('options', path, 'getResolutions', { model });
    return (choices as { value: string }[]).map((choice) => choice.value);
  };
  expect(await resolutions('alpha-2.0-mini')).toEqual(['480p', '720p']);
  expect(await resolutions('={{ $json.model }}')).toEqual(
    expect.arrayContaining(['480p', '720p', '1080p']),
  );
});

test('has the icons, and the tool variant for agents', async () => {
  const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-framegate.'));
  expect(ours.map(({ name }) => name)).toEqual([
    'n8n-nodes-framegate.framegate',
    'n8n-nodes-framegate.framegateTool',
  ]);
  for (const { iconUrl } of ours) {
    for (const url of [iconUrl?.light, iconUrl?.dark]) {
      const icon = await n8n.get(`/${url}`);
      expect([icon.status, icon.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('svg'),
      ]);
    }
  }
});

test('every node and parameter of every example is one that n8n knows', async () => {
  const unknown = (await readExamples()).flatMap(({ id, ...rest }) =>
    (rest as unknown as Example).nodes.flatMap(({ name, type, typeVersion, parameters }) => {
      const known = types.find(
        (each) => each.name === type && [each.version].flat().includes(typeVersion),
      );
      const names = known?.properties.map((property) => property.name) ?? [];
      const strange = Object.keys(parameters).filter((key) => !names.includes(key));
      return known === undefined || strange.length > 0 ? [[id, name, ...strange]] : [];
    }),
  );
  expect(unknown).toEqual([]);
});
