import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { loadNode, n8nWorkflow } from './builtNode.ts';
import type { BinaryData, Item } from './builtNode.ts';

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

interface HttpOptions {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  encoding?: string;
  abortSignal?: AbortSignal;
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
      httpRequest: send,
      httpRequestWithAuthentication: (_: string, options: HttpOptions) =>
        send({ ...options, headers: { ...options.headers, authorization } }),
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

/** n8n's request helper, with the options that the node uses: full answers, no error for a status. */
async function send({ method = 'GET', url, headers, body, encoding, abortSignal }: HttpOptions) {
  const response = await fetch(url, {
    ...{ method, redirect: 'manual', signal: abortSignal ?? null },
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = { statusCode: response.status, headers: Object.fromEntries(response.headers) };
  if (encoding === 'stream') {
    return { ...answer, body: Readable.from(response.body ?? []) };
  }
  const text = await response.text();
  return { ...answer, body: asJson(text) };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
