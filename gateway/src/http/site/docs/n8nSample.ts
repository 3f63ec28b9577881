import type { CreateImageBody, CreateVideoBody, Model } from '@framegate/contract';

/** Data of a sample request. */
export interface SampleRequest {
  baseUrl: string;
  /** Example body; undefined for operations without a body. */
  body: unknown;
  /** Example id in the path, or ''. */
  id: string;
}

type NodeParameters = Readonly<Record<string, unknown>>;

/** Parameters of the node for each operation. */
const nodes: Readonly<
  Record<string, (request: SampleRequest) => { name: string; parameters: NodeParameters }>
> = {
  createVideo: ({ body }) => ({
    name: 'Create video',
    parameters: videoParameters(body as CreateVideoBody),
  }),
  createImage: ({ body }) => ({
    name: 'Create images',
    parameters: imageParameters(body as CreateImageBody),
  }),
  getGeneration: ({ id }) => ({
    name: 'Get generation',
    parameters: {
      resource: 'generation',
      operation: 'get',
      generationId: { __rl: true, mode: 'id', value: id },
    },
  }),
  listModels: () => ({
    name: 'Get models',
    parameters: { resource: 'model', operation: 'getAll', returnAll: true },
  }),
  getCreditBalance: () => ({
    name: 'Get balance',
    parameters: { resource: 'account', operation: 'getBalance' },
  }),
};

/**
 * A node for pasting into n8n's canvas.
 * @returns JSON, or null for an unsupported operation.
 */
export function n8nSample(operationId: string, request: SampleRequest): string | null {
  const node = nodes[operationId]?.(request);
  if (node === undefined) return null;
  const whole = {
    ...node,
    type: 'n8n-nodes-framegate.framegate',
    typeVersion: 1,
    position: [0, 0],
  };
  return JSON.stringify({ nodes: [whole], connections: {} }, null, 2);
}

/** A workflow for pasting into an empty canvas: creates a video with the first video model. */
export function n8nWorkflow(models: readonly Model[]): string {
  const model = models.find(({ type }) => type === 'video')?.id ?? 'alpha-2.0-fast';
  const body: CreateVideoBody = {
    model,
    mode: 'text-to-video',
    prompt: 'A paper boat drifts down a rainy street, seen from above.',
  };
  const start = {
    name: 'When clicking ‘Execute workflow’',
    parameters: {},
    type: 'n8n-nodes-base.manualTrigger',
    typeVersion: 1,
    position: [0, 0],
  };
  const create = {
    name: 'Create video',
    parameters: { ...videoParameters(body), wait: true, download: true },
    type: 'n8n-nodes-framegate.framegate',
    typeVersion: 1,
    position: [224, 0],
  };
  const connections = {
    [start.name]: { main: [[{ node: create.name, type: 'main', index: 0 }]] },
  };
  return JSON.stringify({ nodes: [start, create], connections }, null, 2);
}

function videoParameters(body: CreateVideoBody): NodeParameters {
  const { mode, inputs = [], parameters = {}, compliance } = body;
  const { real_person_mode: realPersonMode, ...others } = parameters;
  return {
    resource: 'video',
    operation: 'create',
    model: { __rl: true, mode: 'id', value: body.model },
    mode,
    prompt: body.prompt,
    ...(inputs.length > 0 && { inputs: { values: inputs } }),
    ...(Object.keys(others).length > 0 && { parameters: inCamelCase(others) }),
    ...(realPersonMode === true && {
      realPersonMode,
      rightsConfirmed: compliance?.rights_confirmed,
      consentReference: compliance?.consent_reference,
    }),
  };
}

function imageParameters(body: CreateImageBody): NodeParameters {
  const { inputs = [], parameters } = body;
  return {
    resource: 'image',
    operation: 'create',
    model: { __rl: true, mode: 'id', value: body.model },
    prompt: body.prompt,
    ...(inputs.length > 0 && { inputs: { values: inputs.map(({ url }) => ({ url })) } }),
    ...(parameters && { parameters: inCamelCase(parameters) }),
  };
}

/** Converts names to those of the node: `duration_seconds` to `durationSeconds`. */
function inCamelCase(parameters: object): NodeParameters {
  const camel = (name: string) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [camel(name), value]),
  );
}
