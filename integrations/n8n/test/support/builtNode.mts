import { createRequire } from 'node:module';

/** The parts of a node's description that tests need. */
export interface Field {
  displayName: string;
  name: string;
  type: string;
  default: unknown;
  description?: string;
  options?: (Field & { value?: unknown })[];
  values?: Field[];
  typeOptions?: Record<string, unknown>;
  displayOptions?: { show?: Record<string, unknown[]>; hide?: Record<string, unknown[]> };
}

/** An item of n8n. */
export interface Item {
  json: Record<string, unknown>;
  binary?: Record<string, BinaryData>;
  pairedItem?: { item: number };
  error?: NodeError;
}

/** A file of an item, as the harness keeps it. */
export interface BinaryData {
  data: string;
  fileName: string;
  mimeType: string;
}

/** The error that n8n shows when a node fails. */
export interface NodeError extends Error {
  description?: string;
  httpCode?: string | null;
  context?: { itemIndex?: number };
}

/** The built node, as n8n loads it. */
export interface BuiltNode {
  description: { properties: Field[]; [key: string]: unknown };
  methods: {
    listSearch: Record<
      string,
      (this: unknown, filter?: string) => Promise<{ results: { name: string; value: string }[] }>
    >;
  };
  execute(this: unknown): Promise<Item[][]>;
}

/** A request that a credential adds its key to. */
interface UnsignedRequest {
  url: string;
  headers: Record<string, string>;
}

/** The built credential, as n8n loads it. */
export interface BuiltCredential {
  test: { request: { url: string } };
  authenticate(
    data: { baseUrl: string; apiKey: string },
    request: UnsignedRequest,
  ): Promise<UnsignedRequest>;
}

interface Workflow {
  NodeApiError: new (node: unknown, response: unknown, options?: unknown) => NodeError;
  NodeHelpers: {
    getNodeParameters: (
      fields: Field[],
      values: Record<string, unknown>,
      defaults: boolean,
      hidden: boolean,
      node: unknown,
      description: unknown,
    ) => Record<string, unknown> | null;
    displayParameter: (
      values: Record<string, unknown>,
      field: Field,
      node: unknown,
      description: unknown,
      root?: Record<string, unknown>,
    ) => boolean;
  };
}

const load = createRequire(new URL('../../package.json', import.meta.url));

/** n8n's own library, the copy that the node uses. */
export const n8nWorkflow = load('n8n-workflow') as Workflow;

/** The node that the package publishes. */
export function loadNode(): BuiltNode {
  const { Framegate } = load('./dist/nodes/Framegate/Framegate.node.js') as {
    Framegate: new () => BuiltNode;
  };
  return new Framegate();
}

/** The credential that the package publishes. */
export function loadCredential(): BuiltCredential {
  const { FramegateApi } = load('./dist/credentials/FramegateApi.credentials.js') as {
    FramegateApi: new () => BuiltCredential;
  };
  return new FramegateApi();
}
