import type { JSONValue } from '@ai-sdk/provider';
import { didYouMean, isJsonObject, jsonPath } from '@framegate/contract';
import type { SendRules } from '../sendRules.ts';

/** A node of a workflow: its class and its inputs, which are values or links to other nodes' outputs. */
export interface GraphNode {
  class_type: string;
  inputs: Record<string, JSONValue>;
}

/** A workflow in ComfyUI's API format, by node id. */
export type Graph = Readonly<Record<string, GraphNode>>;

/** Values for inputs, by node id; names with dots are nested. */
export type GraphValues = Readonly<Record<string, unknown>>;

/** The input that names a node's saved files. */
const prefix = 'filename_prefix';

/**
 * A workflow with values in its inputs. Saved files get names specific to the order: ComfyUI answers a repeated order
 * from its cache, with the files of the first one.
 */
export function fillGraph(graph: Graph, values: readonly GraphValues[], fileName: string): Graph {
  const nodes = structuredClone(graph);
  for (const { inputs } of Object.values(nodes)) {
    if (typeof inputs[prefix] === 'string') inputs[prefix] = fileName;
  }
  for (const { node, input, value } of values.flatMap(inputsIn)) {
    const target = nodes[node];
    if (target && value !== undefined) target.inputs[input] = value as JSONValue;
  }
  return nodes;
}

/** Several workflows as one, so that one order makes the results of all: ids and links are numbered by copy. */
export function joinGraphs(graphs: readonly Graph[]): Graph {
  const [only] = graphs;
  if (only && graphs.length === 1) return only;
  return Object.fromEntries(
    graphs.flatMap((graph, index) =>
      Object.entries(graph).map(([id, { inputs, ...node }]) => {
        const linked = Object.entries(inputs).map(([name, value]) => [
          name,
          isLink(value, graph) ? [`${value[0]}-${index}`, value[1]] : value,
        ]);
        return [
          `${id}-${index}`,
          { ...node, inputs: Object.fromEntries(linked) as GraphNode['inputs'] },
        ];
      }),
    ),
  );
}

function isLink(value: unknown, graph: Graph): value is [string, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, output] = value as unknown[];
  return typeof id === 'string' && id in graph && typeof output === 'number';
}

/** The inputs that have values. */
function inputsIn(values: GraphValues): { node: string; input: string; value: unknown }[] {
  return Object.entries(values).flatMap(([node, inputs]) =>
    leavesOf(inputs).map(([input, value]) => ({ node, input, value })),
  );
}

function leavesOf(value: unknown, path: readonly string[] = []): [string, unknown][] {
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]))
    : [[path.join('.'), value]];
}

/** Problems of fields that name inputs of a workflow, each with its JSON path. */
export function inputProblems(
  graph: Graph,
  { send, options }: { send: SendRules; options: readonly (readonly [string, GraphValues])[] },
  at: readonly (string | number)[],
): string[] {
  const placed = Object.entries(send).flatMap(([promise, placement]) => {
    if (promise === 'fixed') return [];
    const fields = typeof placement === 'string' ? [placement] : Object.keys(placement);
    return fields.map((field) => {
      const [node = '', ...rest] = field.split('.');
      return { where: ['send', promise], node, input: rest.join('.') };
    });
  });
  const fixedAndOptions = [['send', send.fixed ?? {}] as const, ...options].flatMap(
    ([name, values]) =>
      inputsIn(values).map((each) => ({
        where: name === 'send' ? [name, 'fixed'] : [name],
        ...each,
      })),
  );
  return [...placed, ...fixedAndOptions].flatMap(({ where, node, input }) => {
    const names = Object.keys(graph[node]?.inputs ?? {});
    if (names.includes(input)) return [];
    const sentenceStart = `${jsonPath([...at, ...where])} names ${node}.${input}`;
    return [
      node in graph
        ? `${sentenceStart}, which is not an input of that node${didYouMean(input, names)}.`
        : `${sentenceStart}, but the workflow has no node ${node}.`,
    ];
  });
}
