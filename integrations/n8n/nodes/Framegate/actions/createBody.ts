import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type {
  CreateImageBody,
  CreateVideoBody,
  ImageParametersBody,
  InputBody,
  VideoMode,
  VideoParametersBody,
} from '../generated/contract';

/** A create as it is sent. */
export interface CreateRequest {
  path: '/videos' | '/images';
  body: CreateVideoBody | CreateImageBody;
}

/** Field of the node -> field of the API; only what the user set is sent. */
const videoParameters = {
  durationSeconds: 'duration_seconds',
  resolution: 'resolution',
  aspectRatio: 'aspect_ratio',
  generateAudio: 'generate_audio',
  seed: 'seed',
};

const imageParameters = {
  n: 'n',
  aspectRatio: 'aspect_ratio',
  resolution: 'resolution',
  outputFormat: 'output_format',
  seed: 'seed',
};

/** The request for an item of Video: Create. */
export function videoRequest(context: IExecuteFunctions, item: number): CreateRequest {
  const mode = context.getNodeParameter('mode', item) as VideoMode;
  const parameters = parametersOf(context, item, videoParameters) as VideoParametersBody;
  const body: CreateVideoBody = { ...common(context, item), mode };
  if (mode !== 'text-to-video') body.inputs = inputsOf(context, item, mode);
  if (context.getNodeParameter('realPersonMode', item, false) === true) {
    parameters.real_person_mode = true;
    body.compliance = {
      rights_confirmed: context.getNodeParameter('rightsConfirmed', item, false) as boolean,
      consent_reference: context.getNodeParameter('consentReference', item, '') as string,
    };
  }
  if (Object.keys(parameters).length > 0) body.parameters = parameters;
  return { path: '/videos', body };
}

/** The request for an item of Image: Create. */
export function imageRequest(context: IExecuteFunctions, item: number): CreateRequest {
  const body: CreateImageBody = common(context, item);
  const inputs = givenInputs(context, item);
  if (inputs.length > 0) {
    body.inputs = inputs.map(({ url }) => ({ type: 'image', url, role: 'reference' }));
  }
  const parameters = parametersOf(context, item, imageParameters) as ImageParametersBody;
  if (Object.keys(parameters).length > 0) body.parameters = parameters;
  return { path: '/images', body };
}

function common(context: IExecuteFunctions, item: number): { model: string; prompt: string } {
  return {
    model: context.getNodeParameter('model', item, '', { extractValue: true }) as string,
    prompt: context.getNodeParameter('prompt', item) as string,
  };
}

function parametersOf(
  context: IExecuteFunctions,
  item: number,
  names: Record<string, string>,
): IDataObject {
  const set = context.getNodeParameter('parameters', item, {}) as IDataObject;
  const entries = Object.entries(names).flatMap(([field, wire]) => {
    const value = set[field];
    return value === undefined || value === null || value === '' ? [] : [[wire, value] as const];
  });
  return Object.fromEntries(entries);
}

interface GivenInput {
  type: InputBody['type'];
  role: NonNullable<InputBody['role']>;
  url: string;
}

function inputsOf(context: IExecuteFunctions, item: number, mode: VideoMode): InputBody[] {
  return givenInputs(context, item).map(({ type, role, url }) =>
    mode === 'image-to-video'
      ? { type: 'image', url, role: role ?? 'first_frame' }
      : { type: type ?? 'image', url, role: 'reference' },
  );
}

/** The entries that have an address: an expression may leave one empty. */
function givenInputs(context: IExecuteFunctions, item: number): GivenInput[] {
  const entries = context.getNodeParameter('inputs.values', item, []) as Partial<GivenInput>[];
  return entries.filter((entry): entry is GivenInput => Boolean(entry.url));
}
