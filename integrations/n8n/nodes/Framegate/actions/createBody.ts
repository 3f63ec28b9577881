import type { IDataObject } from 'n8n-workflow';
import { type FieldName, fieldOf, modeNames, roleNames } from '../fields/labels';
import {
  type CreateImageBody,
  type CreateVideoBody,
  imageParameters,
  type ImageParametersBody,
  type Parameter,
  type ParameterTable,
  type VideoInputBody,
  type VideoMode,
  videoParameters,
  type VideoParametersBody,
} from '../generated/contract';
import { readSwitchField } from './itemOptions';
import {
  isEmpty,
  type ItemContext,
  parseChoice,
  parseNumber,
  parseSwitch,
  parseText,
  parseWebAddress,
  parseWholeNumber,
  refusedValue,
} from './parseValues';

/** A create request, ready to be sent. */
export interface CreateRequest {
  path: '/videos' | '/images';
  body: CreateVideoBody | CreateImageBody;
}

type ValueReader = (place: ItemContext, field: FieldName, value: unknown) => unknown;

const readers: Readonly<Record<Parameter['kind'], ValueReader>> = {
  integer: parseWholeNumber,
  fraction: parseNumber,
  choice: (place, field, value) => parseText(place, field, value).trim(),
  flag: parseSwitch,
  text: parseText,
};

const inputTypeNames = { audio: 'Audio', image: 'Image', video: 'Video' } as const;

/**
 * The request for an item of Video: Create.
 * @throws NodeOperationError with the label of the field at fault.
 */
export function videoRequest(place: ItemContext): CreateRequest {
  const { context, itemIndex } = place;
  const mode = parseChoice(place, 'mode', context.getNodeParameter('mode', itemIndex), modeNames);
  const parameters: VideoParametersBody = videoParametersOf(place);
  const body: CreateVideoBody = { model: modelOf(place), prompt: promptOf(place), mode };
  if (mode !== 'text-to-video') body.inputs = videoInputs(place, mode);
  if (readSwitchField(place, 'realPersonMode', false)) {
    parameters.real_person_mode = true;
    const reference: unknown = context.getNodeParameter('consentReference', itemIndex, '');
    body.compliance = {
      rights_confirmed: readSwitchField(place, 'rightsConfirmed', false),
      consent_reference: parseText(place, 'consentReference', reference).trim(),
    };
  }
  if (Object.keys(parameters).length > 0) body.parameters = parameters;
  return { path: '/videos', body };
}

/**
 * The request for an item of Image: Create.
 * @throws NodeOperationError with the label of the field at fault.
 */
export function imageRequest(place: ItemContext): CreateRequest {
  const body: CreateImageBody = { model: modelOf(place), prompt: promptOf(place) };
  const urls = givenInputs(place).map(({ url }) => url);
  if (urls.length > 0) {
    body.inputs = urls.map((url) => ({ type: 'image', url, role: 'reference' }));
  }
  const parameters = imageParametersOf(place);
  if (Object.keys(parameters).length > 0) body.parameters = parameters;
  return { path: '/images', body };
}

/** The id of the chosen model. */
export function modelOf(place: ItemContext): string {
  const { context, itemIndex } = place;
  const value: unknown = context.getNodeParameter('model', itemIndex, '', { extractValue: true });
  return parseText(place, 'model', value).trim();
}

/** The video parameters set by the user. */
export function videoParametersOf(place: ItemContext): VideoParametersBody {
  return readParameters(place, videoParameters);
}

/** The image parameters set by the user. */
export function imageParametersOf(place: ItemContext): ImageParametersBody {
  return readParameters(place, imageParameters);
}

function promptOf(place: ItemContext): string {
  const { context, itemIndex } = place;
  return parseText(place, 'prompt', context.getNodeParameter('prompt', itemIndex) as unknown);
}

/**
 * Sends only the values set by the user: an empty one, such as an empty cell, means the model's default. Fields with
 * their own group are read there.
 */
function readParameters(place: ItemContext, table: ParameterTable): Record<string, never> {
  const { context, itemIndex } = place;
  const set = context.getNodeParameter('parameters', itemIndex, {}) as IDataObject;
  const entries = Object.entries(table).flatMap(([wire, { kind, apart }]) => {
    const field = fieldOf(wire);
    if (apart || isEmpty(set[field])) return [];
    return [[wire, readers[kind](place, field, set[field])] as const];
  });
  return Object.fromEntries(entries) as Record<string, never>;
}

function videoInputs(place: ItemContext, mode: VideoMode): VideoInputBody[] {
  return givenInputs(place).map(({ type, role, url }) =>
    mode === 'image-to-video'
      ? { type: 'image', url, role: parseChoice(place, 'role', role ?? 'first_frame', roleNames) }
      : {
          type: parseChoice(place, 'type', type ?? 'image', inputTypeNames),
          url,
          role: 'reference',
        },
  );
}

/** The entries with a URL: an expression may leave one empty. */
function givenInputs(place: ItemContext): { url: string; type?: unknown; role?: unknown }[] {
  const { context, itemIndex } = place;
  const entries: unknown = context.getNodeParameter('inputs.values', itemIndex, []);
  if (!Array.isArray(entries)) throw refusedValue(place, 'inputs', 'must be a list', entries);
  return (entries as IDataObject[])
    .filter((entry) => !isEmpty(entry['url']))
    .map((entry) => ({ ...entry, url: parseWebAddress(place, 'url', entry['url']) }));
}
