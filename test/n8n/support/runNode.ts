import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { loadNode, n8nWorkflow } from './builtNode.ts';
import type { BinaryData, Item } from './builtNode.ts';
import { sendAsN8n } from './sendAsN8n.ts';
import type { HttpOptions } from './sendAsN8n.ts';

/** A run of the node outside n8n, over real HTTP. */
export interface RunOptions {
  baseUrl: string;
  apiKey: string;
  /** Parameters of each item; as in n8n, fields that are not shown fall away. */
  params: Record<string, unknown> | Record<string, unknown>[];
  continueOnFail?: boolean;
  signal?: AbortSignal;
  executionId?: string;
  runIndex?: number;
}

const node = { id: 'node-1', name: 'Framegate', type: 'n8n-nodes-framegate.framegate' };
const engineNode = { ...node, typeVersion: 1, position: [0, 0] };

/** Runs the built node as n8n does, and answers the items of its output. */
export async function runNode(options: RunOptions): Promise<Item[]> {
  const framegate = loadNode();
  const each = Array.isArray(options.params) ? options.params : [options.params];
  const parameters = each.map((params) => withDefaults(framegate.description, params));
  const context = {
    ...shared(options),
    getInputData: () => each.map((json) => ({ json })),
    getExecutionId: () => options.executionId ?? 'execution-1',
    getInstanceId: () => 'instance-1',
    getWorkflow: () => ({ id: 'workflow-1' }),
    continueOnFail: () => options.continueOnFail ?? false,
    getExecutionCancelSignal: () => options.signal,
    evaluateExpression: () => options.runIndex ?? 0,
    getNodeParameter(
      name: string,
      index: number,
      fallback?: unknown,
      extract?: { extractValue?: boolean },
    ) {
      const value = name
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], {
          ...parameters[index],
        });
      return (
        (extract?.extractValue ? (value as { value?: unknown } | undefined)?.value : value) ??
        fallback
      );
    },
  };
  const [items = []] = await framegate.execute.call(context);
  return items;
}

function withDefaults(
  description: ReturnType<typeof loadNode>['description'],
  params: Record<string, unknown>,
): Record<string, unknown> {
  const { properties } = description;
  const { getNodeParameters } = n8nWorkflow.NodeHelpers;
  return getNodeParameters(properties, params, true, false, engineNode, description) ?? {};
}

function shared({ baseUrl, apiKey }: Pick<RunOptions, 'baseUrl' | 'apiKey'>) {
  const authorization = `Bearer ${apiKey}`;
  return {
    getNode: () => engineNode,
    getCredentials: () => Promise.resolve({ baseUrl, apiKey }),
    helpers: {
      httpRequest: sendAsN8n,
      httpRequestWithAuthentication: (_: string, options: HttpOptions) =>
        sendAsN8n({ ...options, headers: { ...options.headers, authorization } }),
      async prepareBinaryData(body: Readable, fileName: string, mimeType: string) {
        const bytes = await buffer(body);
        const file: BinaryData & { bytes: number } = {
          ...{ data: bytes.toString('base64'), fileName, mimeType, bytes: bytes.length },
        };
        return file;
      },
    },
  };
}
