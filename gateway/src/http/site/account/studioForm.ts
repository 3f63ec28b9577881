import {
  priceCredits,
  pricingOf,
  type InputRole,
  type InputType,
  type Model,
} from '@framegate/contract';
import type { Refusal } from '../../../domain/refusal.ts';
import type { Form } from '../../pages/form.ts';
import { formatNumber } from '../../pages/html.ts';
import type { FormErrors } from './fields.ts';

/** A place for an input's address in the studio's form. */
export interface InputSlot {
  /** The field's name. */
  name: string;
  label: string;
  type: InputType;
  role: InputRole;
  url: string;
}

/** The studio's form: what it shows, and the API's body that it means. */
export interface StudioForm {
  model: Model;
  /** Null for images. */
  mode: string | null;
  slots: InputSlot[];
  /** Parameters as typed, by name; empty where the model's default is taken. */
  typed: Record<string, string>;
  hasRealPerson: boolean;
  path: '/v1/videos' | '/v1/images';
  body: Record<string, unknown>;
  /** Fields of the form by the names that a refusal gives: `inputs[1].url`. */
  fieldOf: (param: string) => string;
  /** What it costs; null while the duration or the number of images is out of range. */
  costCredits: number | null;
}

/** Slots of one kind shown at first; one more than are filled, up to the model's number. */
const slotsAtFirst = { image: 2, video: 1, audio: 1 } as const;

/**
 * Parses the studio's form for the model and the mode that it names; fields that these do not have are
 * left out. Values go to the API's own rules as they were typed.
 */
export function parseStudioForm(form: Form, models: readonly Model[]): StudioForm {
  const model = models.find(({ id }) => id === form.get('model')) ?? models[0];
  if (!model) throw new Error('no model has a route');
  const mode = modeOf(model, form.get('mode'));
  const slots = slotsOf(model, mode, form);
  const typed = typedParameters(model, form);
  const hasRealPerson =
    model.type === 'video' && model.realPersonModes.some((each) => each === mode);
  const isRealPerson = hasRealPerson && form.get('parameters.real_person_mode') !== '';
  const parameters = {
    ...Object.fromEntries(
      Object.entries(typed).flatMap(([name, value]) => {
        const parsed = parameterOf(name, value);
        return parsed === undefined ? [] : [[name, parsed]];
      }),
    ),
    ...(isRealPerson && { real_person_mode: true }),
  };
  const filled = slots.filter(({ url }) => url !== '');
  const body = {
    model: model.id,
    ...(mode !== null && { mode }),
    prompt: form.get('prompt'),
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
    path: model.type === 'video' ? '/v1/videos' : '/v1/images',
    body,
    fieldOf: (param) => {
      const index = /^inputs\[(\d+)\]/.exec(param)?.[1];
      return index === undefined ? param : (filled[Number(index)]?.name ?? param);
    },
    costCredits: costOf(model, parameters),
  };
}

function modeOf(model: Model, asked: string): string | null {
  if (model.type === 'image') return null;
  return model.modes.find((mode) => mode === asked) ?? model.modes[0] ?? null;
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
      slot('first_frame', 'First frame', 'image', 'first_frame'),
      slot('last_frame', 'Last frame (optional)', 'image', 'last_frame'),
    ];
  }
  return (['image', 'video', 'audio'] as const).flatMap((type) => {
    const all = Array.from({ length: model.inputs[type].maxCount }, (_, index) =>
      slot(`${type}_${index + 1}`, `Reference ${type} ${index + 1}`, type, 'reference'),
    );
    const last = all.findLastIndex(({ url }) => url !== '');
    return all.slice(0, Math.max(slotsAtFirst[type], last + 2));
  });
}

/** The parameters of the form, in its order. */
export const parameterNames = {
  video: ['duration_seconds', 'resolution', 'aspect_ratio', 'generate_audio', 'seed'],
  image: ['n', 'resolution', 'aspect_ratio', 'output_format', 'seed'],
} as const;

/** What was typed; a choice that this model does not have is dropped, so that its default shows. */
function typedParameters(model: Model, form: Form): Record<string, string> {
  const offers: Record<string, readonly string[]> = {
    resolution: model.resolutions,
    aspect_ratio: model.aspectRatios,
    ...(model.type === 'image' && { output_format: model.outputFormats }),
    ...(model.type === 'video' && { generate_audio: model.generateAudio ? ['true'] : [] }),
  };
  const typed: Record<string, string> = {};
  for (const name of parameterNames[model.type]) {
    const value = form.get(`parameters.${name}`).trim();
    if (value !== '' && (offers[name]?.includes(value) ?? true)) typed[name] = value;
  }
  return typed;
}

/** A parameter as the API takes it. What is no number stays text: the API's rules then say what is. */
function parameterOf(name: string, value: string): unknown {
  if (name === 'generate_audio') return value === 'true';
  if (!['duration_seconds', 'n', 'seed'].includes(name)) return value;
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

function complianceOf(form: Form): Record<string, unknown> {
  const reference = form.get('compliance.consent_reference').trim();
  return {
    ...(form.get('compliance.rights_confirmed') !== '' && { rights_confirmed: true }),
    ...(reference !== '' && { consent_reference: reference }),
  };
}

/** The price by the one price function, with the model's defaults for what is missing. */
function costOf(model: Model, given: Record<string, unknown>): number | null {
  const defaults =
    model.type === 'video'
      ? {
          resolution: model.defaults.resolution,
          duration_seconds: model.duration.default,
          generate_audio: model.defaults.generateAudio,
        }
      : { resolution: model.defaults.resolution, n: model.defaults.n };
  const range = model.type === 'video' ? model.duration : model.n;
  const units = model.type === 'video' ? given['duration_seconds'] : given['n'];
  const isInRange =
    units === undefined || (typeof units === 'number' && units >= range.min && units <= range.max);
  return isInRange ? priceCredits(pricingOf(model), { ...defaults, ...given }) : null;
}

/**
 * What is wrong with the numbers and the prompt, by field, in the bounds of the chosen model. The API checks
 * the shape of a body first, in bounds that fit all models, and the model's own when that is right; people
 * are told once, and of the bounds that stand at the field.
 */
export function typedProblems({ model, typed, body }: StudioForm): Record<string, string> {
  const [name, { min, max }] =
    model.type === 'video'
      ? (['duration_seconds', model.duration] as const)
      : (['n', model.n] as const);
  const value = typed[name];
  const units = value === undefined ? min : Number(value);
  const fits = Number.isInteger(units) && units >= min && units <= max;
  const { length } = Array.from(String(body['prompt']).trim());
  return {
    ...(length > model.maxPromptLength && {
      prompt: `Use at most ${formatNumber(model.maxPromptLength)} characters; these are ${formatNumber(length)}.`,
    }),
    ...(!fits && { [`parameters.${name}`]: `Must be a whole number from ${min} to ${max}.` }),
  };
}

/** A refusal as errors of fields; what no field can put right stands above the form. */
export function errorsOf(studio: StudioForm, error: Refusal): FormErrors {
  const details =
    error.details.length > 0
      ? error.details
      : error.param === undefined
        ? []
        : [{ param: error.param, message: error.message }];
  const fields = {
    ...Object.fromEntries(
      details.map(({ param, message }): [string, string] => {
        const field = studio.fieldOf(param);
        const slot = studio.slots.find(({ name }) => name === field);
        const isHost = error.code === 'input_host_not_approved' && slot !== undefined;
        return [field, isHost ? hostProblem(slot.url) : message];
      }),
    ),
    ...(error.code === 'invalid_request' && typedProblems(studio)),
  };
  const known = new Set(fieldsOf(studio));
  const others = Object.entries(fields).filter(([name]) => !known.has(name));
  const { credits } = error;
  const message = credits
    ? `This costs ${credits.required} credits, and you have ${credits.available}.`
    : details.length === 0
      ? error.message
      : others.map(([name, text]) => `${name}: ${text}`).join(' ');
  return { fields, message };
}

/** The API's own sentence is about the key of a request, which the studio has not. */
export function hostProblem(url: string): string {
  const host = URL.parse(url)?.host ?? 'this host';
  return `None of your API keys has ${host} approved. Ask for it on the page of your keys, or use a file on an approved host.`;
}

function fieldsOf({ model, slots, hasRealPerson }: StudioForm): string[] {
  const parameters = [
    ...parameterNames[model.type],
    ...(hasRealPerson ? ['real_person_mode'] : []),
  ];
  return [
    'model',
    'mode',
    'prompt',
    ...slots.map(({ name }) => name),
    ...parameters.map((name) => `parameters.${name}`),
    ...(hasRealPerson ? ['compliance.rights_confirmed', 'compliance.consent_reference'] : []),
  ];
}
