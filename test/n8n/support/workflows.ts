import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from './packageFolder.ts';

/** A credential or workflow as n8n's import commands read it. */
export type Importable = Record<string, unknown> & { id: string };

const examples = join(packageFolder, 'examples');

/** Names of the example workflows' files. */
export async function exampleFiles(): Promise<string[]> {
  return (await readdir(examples)).filter((file) => file.endsWith('.json')).toSorted();
}

/** The example workflows, as they are in the package, in the order of their files. */
export async function readExamples(): Promise<Importable[]> {
  const files = await exampleFiles();
  return Promise.all(
    files.map(
      async (file) => JSON.parse(await readFile(join(examples, file), 'utf8')) as Importable,
    ),
  );
}

/** Id of the Framegate credential in the examples and in the workflows made here. */
export const credentialId = 'framegateAccount1';

/** Parts of a test's workflow besides its rows. */
export interface WorkflowOptions {
  /** Names of nodes without effect, one after each output of the Framegate node. */
  outputs?: string[];
  /** Settings of the node itself, such as retryOnFail. */
  node?: Record<string, unknown>;
  credential?: { id: string; name: string };
}

/** A workflow that passes each row as an item to one Framegate node. */
export function workflow(
  id: string,
  rows: Record<string, unknown>[],
  parameters: Record<string, unknown>,
  {
    node,
    credential = { id: credentialId, name: 'Framegate account' },
    outputs = [],
  }: WorkflowOptions = {},
): Importable {
  const at = (index: number) => [index * 220, 0];
  return {
    id,
    name: id,
    active: false,
    settings: { executionOrder: 'v1' },
    nodes: [
      {
        id: `${id}-0`,
        name: 'When clicking ‘Execute workflow’',
        typeVersion: 1,
        position: at(0),
        type: 'n8n-nodes-base.manualTrigger',
        parameters: {},
      },
      {
        id: `${id}-1`,
        name: 'Rows',
        typeVersion: 3.4,
        position: at(1),
        type: 'n8n-nodes-base.set',
        parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} },
      },
      {
        id: `${id}-2`,
        name: 'Items',
        typeVersion: 1,
        position: at(2),
        type: 'n8n-nodes-base.splitOut',
        parameters: { fieldToSplitOut: 'rows', options: {} },
      },
      {
        id: `${id}-3`,
        name: 'Framegate',
        typeVersion: 1,
        position: at(3),
        type: 'n8n-nodes-framegate.framegate',
        parameters,
        credentials: { framegateApi: credential },
        ...node,
      },
      ...outputs.map((name, index) => ({
        id: `${id}-${index + 4}`,
        name,
        typeVersion: 1,
        position: [880, index * 180 - 90],
        type: 'n8n-nodes-base.noOp',
        parameters: {},
      })),
    ],
    connections: {
      'When clicking ‘Execute workflow’': to('Rows'),
      Rows: to('Items'),
      Items: to('Framegate'),
      Framegate: { main: outputs.flatMap((name) => to(name).main) },
    },
  };
}

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
