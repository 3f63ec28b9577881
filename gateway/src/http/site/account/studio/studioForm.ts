import {
  type ByKind,
  byKind,
  type Capabilities,
  capabilitiesOf,
  choicesOf,
  hasFlag,
  inFormOrder,
  type InputRole,
  type InputType,
  maxLengthOf,
  type Model,
  type Parameter,
  parameterTables,
  priceCredits,
  pricingOf,
  rangeOf,
} from '@framegate/contract';
import { text, type TextKey } from '../../../../texts/text.ts';
import type { Form } from '../../../pages/form.ts';

/** An input of the studio's form. */
export interface InputSlot {
  /** Name of the field. */
  name: string;
  label: string;
  type: InputType;
  role: InputRole;
  url: string;
}

/** Maximum prompts of a list. */
export const maxLines = 20;

/** Sizes of a set: the numbers of equal requests that one order can make. */
export const sizesOfSets = [1, 2, 4, 10] as const;

/** Value of the field `times` that makes each line of the prompt a request of its own. */
export const perLine = 'lines';

/** Field with the URL of the first frame to which the aspect ratio was set. */
export const fittedField = 'fitted';

/** Parsed form of the studio with the equivalent API request. */
export interface StudioForm {
  model: Model;
  /** Null for images. */
  mode: string | null;
  slots: InputSlot[];
  /** Typed parameters by name; missing ones use the model's defaults. */
  typed: Record<string, string>;
  hasRealPerson: boolean;
  /** The prompts of a list, one per line; null if the whole text is one prompt. */
  lines: readonly string[] | null;
  /** Requests of the order: equal ones, or one per line. */
  times: number;
  path: '/v1/videos' | '/v1/images';
  /** The request; for a list, that of its first line. */
  body: Record<string, unknown>;
  /** Maps a refusal's parameter, such as `inputs[1].url`, to a field of the form. */
  fieldOf: (param: string) => string;
  /** Price of all requests; null if the duration or number of images is out of range. */
  costCredits: number | null;
}

/** Minimum number of slots per type. One empty slot follows the filled ones, up to the model's limit. */
const slotsAtFirst = { image: 2, video: 1, audio: 1 } as const;

/**
 * Parses the studio's form for its model and mode and ignores fields that these do not have. Values are not
 * validated: the API's rules do that.
 */
export function parseStudioForm(form: Form, models: readonly Model[]): StudioForm {
  const model = models.find(({ id }) => id === form.get('model')) ?? models[0];
  if (!model) throw new Error('no model has a provider');
  const mode = modeOf(model, form.get('mode'));
  const slots = slotsOf(model, mode, form);
  const typed = typedParameters(model, form);
  const hasRealPerson =
    model.type === 'video' && model.realPersonModes.some((each) => each === mode);
  const isRealPerson = hasRealPerson && form.get('parameters.real_person_mode') !== '';
  const parameters = {
    ...Object.fromEntries(
      formParameters(model).flatMap(([name, { kind }]) => {
        const value = typed[name];
        return value === undefined ? [] : [[name, parameterOf[kind](value)]];
      }),
    ),
    ...(isRealPerson && { real_person_mode: true }),
  };
  const filled = slots.filter(({ url }) => url !== '');
  const lines = form.get('times') === perLine ? linesOf(form.get('prompt')) : null;
  const times = lines
    ? Math.max(1, lines.length)
    : (sizesOfSets.find((size) => form.get('times') === String(size)) ?? 1);
  const each = costOf(model, parameters);
  const body = {
    model: model.id,
    ...(mode !== null && { mode }),
    prompt: lines ? (lines[0] ?? '') : form.get('prompt'),
    ...(filled.length > 0 && {
      inputs: filled.map(({ type, role, url }) => ({ type, url, role })),
    }),
    parameters,
    ...(isRealPerson && { compliance: complianceOf(form) }),
  };
  return {
    model,
    mode,
    slots,
    typed,
    hasRealPerson,
    lines,
    times,
    path: model.type === 'video' ? '/v1/videos' : '/v1/images',
    body,
    fieldOf: (param) => {
      const index = /^inputs\[(\d+)\]/.exec(param)?.[1];
      return index === undefined ? param : (filled[Number(index)]?.name ?? param);
    },
    costCredits: each === null ? null : each * times,
  };
}

/** The prompts of a text with one per line. */
const linesOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function modeOf(model: Model, chosen: string): string | null {
  if (model.type === 'image') return null;
  return model.modes.find((mode) => mode === chosen) ?? model.modes[0] ?? null;
}

function slotsOf(model: Model, mode: string | null, form: Form): InputSlot[] {
  const slot = (name: string, label: string, type: InputType, role: InputRole): InputSlot => ({
    name,
    label,
    type,
    role,
    url: form.get(name).trim(),
  });
  if (mode === 'text-to-video') return [];
  if (mode === 'image-to-video') {
    return [
      slot('first_frame', text('models.firstFrame'), 'image', 'first_frame'),
      slot('last_frame', text('models.lastFrameOptional'), 'image', 'last_frame'),
    ];
  }
  return (['image', 'video', 'audio'] as const).flatMap((type) => {
    const all = Array.from({ length: model.inputs[type].maxCount }, (_, index) =>
      slot(
        `${type}_${index + 1}`,
        text(references[type], { number: index + 1 }),
        type,
        'reference',
      ),
    );
    const last = all.findLastIndex(({ url }) => url !== '');
    return all.slice(0, Math.max(slotsAtFirst[type], last + 2));
  });
}

const references = {
  image: 'models.referenceImage',
  video: 'models.referenceVideo',
  audio: 'models.referenceAudio',
} as const satisfies Readonly<Record<InputType, TextKey>>;

/** Parameters in the order of the form, except those with a part of their own. */
export function formParameters({ type }: Model): [string, Parameter][] {
  return inFormOrder(parameterTables[type]).filter(([, { apart }]) => !apart);
}

const isOffered: ByKind<[offered: Capabilities, value: string], boolean> = {
  flag: (row, offered, value) => value === 'true' && hasFlag(row, offered),
  choice: (row, offered, value) => choicesOf(row, offered).includes(value),
  integer: () => true,
  fraction: (row, offered) => rangeOf(row, offered) !== null,
  text: (row, offered) => maxLengthOf(row, offered) !== null,
};

/** Typed parameters, without options that the model does not offer. */
function typedParameters(model: Model, form: Form): Record<string, string> {
  const offered = capabilitiesOf(model);
  const typed: Record<string, string> = {};
  for (const [name, row] of formParameters(model)) {
    const value = form.get(`parameters.${name}`).trim();
    if (value !== '' && byKind(isOffered, row, offered, value)) typed[name] = value;
  }
  return typed;
}

/** Converts a parameter for the API. Invalid numbers remain text, so that the API's rules reject them. */
const parameterOf: Readonly<Record<Parameter['kind'], (value: string) => unknown>> = {
  flag: (value) => value === 'true',
  choice: (value) => value,
  text: (value) => value,
  integer: (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : value),
  fraction: (value) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value),
};

function complianceOf(form: Form): Record<string, unknown> {
  const reference = form.get('compliance.consent_reference').trim();
  return {
    ...(form.get('compliance.rights_confirmed') !== '' && { rights_confirmed: true }),
    ...(reference !== '' && { consent_reference: reference }),
  };
}

/** Price with the model's defaults for missing parameters. */
function costOf(model: Model, parameters: Record<string, unknown>): number | null {
  const defaults =
    model.type === 'video'
      ? {
          resolution: model.defaults.resolution,
          duration_seconds: model.duration.default,
          generate_audio: model.defaults.generateAudio,
        }
      : { resolution: model.defaults.resolution, n: model.defaults.n };
  const range = model.type === 'video' ? model.duration : model.n;
  const units = model.type === 'video' ? parameters['duration_seconds'] : parameters['n'];
  const isInRange =
    units === undefined || (typeof units === 'number' && units >= range.min && units <= range.max);
  return isInRange ? priceCredits(pricingOf(model), { ...defaults, ...parameters }) : null;
}
