import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { loadNode, n8nWorkflow, type BinaryData, type Item } from './builtNode.mts';
import { sendAsN8n, type HttpOptions } from './sendAsN8n.mts';

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

/** A parameter whose expression has this value for the item. */
export class Expression {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Value of an expression, possibly none. */
export const expression = (value: unknown) => new Expression(value);

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
      const value = valueAt(parameters[index], name.split('.'), fallback);
      return extract?.extractValue ? (value as { value?: unknown } | undefined)?.value : value;
    },
  };
  const [items = []] = await framegate.execute.call(context);
  return asHandedOn(items);
}

/**
 * Step of n8n's engine before it hands items on (normalizeNodeErrors): a property `error` next to
 * `json` leaves only the message of `json`.
 */
function asHandedOn(items: Item[]): Item[] {
  return items.map((item) =>
    item.error === undefined ? item : { ...item, json: { error: item.error.message } },
  );
}

/** The parameters of an item: defaults filled in, hidden fields left out, expressions resolved. */
function withDefaults(
  description: ReturnType<typeof loadNode>['description'],
  params: Record<string, unknown>,
): Record<string, unknown> {
  const { properties } = description;
  const { getNodeParameters } = n8nWorkflow.NodeHelpers;
  const values: unknown[] = [];
  const written = mapLeaves(params, (leaf) =>
    leaf instanceof Expression ? `={{ ${values.push(leaf.value)} }}` : leaf,
  ) as typeof params;
  const visible =
    getNodeParameters(properties, written, true, false, engineNode, description) ?? {};
  return mapLeaves(visible, (leaf) => {
    const [, place] = /^=\{\{ (\d+) \}\}$/.exec(String(leaf)) ?? [];
    return place === undefined ? leaf : values[Number(place) - 1];
  }) as typeof params;
}

/** As in n8n, the fallback is for a missing parameter, not for an empty one. */
function valueAt(from: unknown, [key = '', ...rest]: string[], fallback: unknown): unknown {
  if (typeof from !== 'object' || from === null || !Object.hasOwn(from, key)) return fallback;
  const value = (from as Record<string, unknown>)[key];
  return rest.length === 0 ? value : valueAt(value, rest, fallback);
}

/** Copies objects and lists with other values in them. */
function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, change));
  if (typeof value !== 'object' || value === null || value instanceof Expression) {
    return change(value);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapLeaves(each, change)]),
  );
}

function shared({ baseUrl, apiKey }: Pick<RunOptions, 'baseUrl' | 'apiKey'>) {
  const authorization = `Bearer ${apiKey}`;
  return {
    getNode: () => engineNode,
    logger: { info: () => undefined },
    getCredentials: () => Promise.resolve({ baseUrl, apiKey }),
    helpers: {
      httpRequest: sendAsN8n,
      httpRequestWithAuthentication: (_: string, options: HttpOptions) =>
        sendAsN8n({ ...options, headers: { ...options.headers, authorization } }),
      async prepareBinaryData(body: Readable, fileName: string, mimeType: string) {
        const bytes = await buffer(body);
        const file: BinaryData & { bytes: number } = {
          data: bytes.toString('base64'),
          fileName,
          mimeType,
          bytes: bytes.length,
        };
        return file;
      },
    },
  };
}
