import type { JSONValue } from '@ai-sdk/provider';
import { allExtras } from '@framegate/contract';
import type { ExtraLimit } from './routeSupport.ts';
import { fieldsOf } from './unknownJson.ts';

/** Any JSON object passed through to a provider. */
export type JsonObject = Record<string, JSONValue>;

/**
 * The form of a value in a provider's field: a text with placeholders (`{s}s`), a number of frames, or the provider's
 * own value for each of ours (`{"720p": "std"}`); other values cannot be sent.
 */
export type ValueForm = string | Frames | Readonly<Record<string, JSONValue>>;

/** A length in frames: seconds times the rate, plus extra ones if a model counts the first frame separately. */
export interface Frames {
  fps: number;
  extra?: number;
}

/** Whether a form is a number of frames. */
export function isFrames(form: ValueForm): form is Frames {
  return typeof form !== 'string' && typeof form['fps'] === 'number';
}

/**
 * Where a promise is sent: the name of a field, which gets the value unchanged, or fields with the form that each gets.
 * A name with `@` is a field of the interface of `@ai-sdk/provider`; others are the provider's own, with dots for parts
 * of an object.
 */
export type Placement = string | Readonly<Record<string, ValueForm>>;

/** The first field of the interface of `@ai-sdk/provider` that a placement names. @param placement Unchecked. */
export function interfaceFieldIn(placement: unknown): string | undefined {
  const names = typeof placement === 'string' ? [placement] : Object.keys(fieldsOf(placement));
  return names.find((name) => name.startsWith('@'));
}

const ownPromises = [
  'prompt',
  'duration',
  'resolution',
  'ratio',
  'size',
  'width',
  'height',
  'audio',
  'seed',
  'format',
  'firstFrame',
  'lastFrame',
  'images',
  'videos',
  'audios',
] as const;
/** A promise that an order can carry. */
export type PromisedField = (typeof ownPromises)[number] | ExtraLimit;

/** The promises of fractions and texts: these have the names of their parameters in `does`. */
export const extraPromises = allExtras.map(({ support }) => support.name as ExtraLimit);

/** The promises that can be sent. */
export const promises: readonly PromisedField[] = [...ownPromises, ...extraPromises];

/** How the promises of a model are sent. A promise without a placement is not kept, so it is not covered. */
export type SendRules = Readonly<Partial<Record<PromisedField, Placement>>> & {
  /** The provider's own fields with the same value in every order. */
  readonly fixed?: Readonly<Record<string, JSONValue>>;
};

/** Fields of the interface that an order may fill, by type. */
export const interfaceFields = {
  video: [
    'aspectRatio',
    'resolution',
    'duration',
    'seed',
    'image',
    'frameImages',
    'inputReferences',
    'generateAudio',
  ],
  image: ['size', 'aspectRatio', 'seed', 'files'],
} as const;

/** The placeholders of a form, and the promises that provide their values. */
export const placeholders = {
  s: ['duration'],
  resolution: ['resolution'],
  K: ['resolution'],
  ratio: ['ratio'],
  width: ['width'],
  height: ['height'],
  file: [],
} as const satisfies Record<string, readonly PromisedField[]>;

/** The interface as documented by `@ai-sdk/provider`, without a size. */
export const sizelessSend = {
  video: {
    duration: '@duration',
    ratio: '@aspectRatio',
    audio: '@generateAudio',
    seed: '@seed',
    firstFrame: '@image',
    lastFrame: '@frameImages',
    images: '@inputReferences',
    videos: '@inputReferences',
    audios: '@inputReferences',
  },
  image: { seed: '@seed', images: '@files' },
} as const satisfies Record<string, SendRules>;

/** The interface as documented by `@ai-sdk/provider`, with sizes in pixels. */
export const standardSend: Readonly<Record<'video' | 'image', SendRules>> = {
  video: { ...sizelessSend.video, size: '@resolution' },
  image: { ...sizelessSend.image, size: '@size' },
};

/** The placeholders in a form's text. */
export function formPlaceholders(text: string): string[] {
  return [...text.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name);
}

/** A text with its placeholders replaced by values. */
export function fillForm(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Named texts with their placeholders replaced by values. */
export function fillForms(
  texts: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const filled = Object.entries(texts).map(([name, text]) => [name, fillForm(text, values)]);
  return Object.fromEntries(filled) as Record<string, string>;
}

/** The provider's own fields that carry a promise, by their first name; excludes seed and format. */
export function promisedFields(send: SendRules): string[] {
  const promised = promises.filter((promise) => promise !== 'seed' && promise !== 'format');
  const named = promised.flatMap((promise) => {
    const placement = send[promise] ?? [];
    return typeof placement === 'string' ? [placement] : Object.keys(placement);
  });
  const own = named.filter((field) => !field.startsWith('@'));
  return [...new Set(own.map((field) => field.replace(/\..*/, '')))];
}

/**
 * How a route sends its promises: as its entry states, then as its model's row or package does. An entry that sends
 * both the resolution and the ratio by itself sends no size in addition, unless it says so.
 */
export function mergeSend(defaults: SendRules, stated: SendRules): SendRules {
  const { size, width, height, ...others } = defaults;
  const isOwnSize = stated.resolution !== undefined && stated.ratio !== undefined;
  return {
    ...others,
    ...(!isOwnSize && {
      ...(size !== undefined && { size }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    }),
    ...stated,
  };
}

/** The promises that are sent in a field, by its first name. */
export function findPromises(field: string, send: SendRules): PromisedField[] {
  return promises.filter((promise) => {
    const placement = send[promise] ?? [];
    const named = typeof placement === 'string' ? [placement] : Object.keys(placement);
    return named.some((each) => each.replace(/\..*/, '') === field);
  });
}
