import type { ExtraLimit, ParameterLimits, RouteSupport } from './routeSupport.ts';
import {
  extraPromises,
  formPlaceholders,
  isFrames,
  placeholders,
  type Placement,
  type PromisedField,
  promises,
  type SendRules,
} from './sendRules.ts';

/** The promises that are sent, each with the values that can be sent; null for every value. */
function sentOf(send: SendRules): Map<PromisedField, readonly string[] | null> {
  const sent = new Map<PromisedField, readonly string[] | null>();
  for (const promise of promises) {
    const placement = send[promise];
    if (placement === undefined) continue;
    const forms = typeof placement === 'string' ? [] : Object.values(placement);
    const texts = forms.filter((form) => typeof form === 'string');
    const named = texts.flatMap((text) =>
      formPlaceholders(text).flatMap((name): readonly PromisedField[] =>
        name in placeholders ? placeholders[name as keyof typeof placeholders] : [],
      ),
    );
    for (const each of texts.length > 0 && named.length > 0 ? named : [promise]) {
      sent.set(each, null);
    }
    for (const form of forms) {
      if (typeof form !== 'string' && !isFrames(form)) sent.set(promise, Object.keys(form));
    }
  }
  if (sent.has('size') || (sent.has('width') && sent.has('height'))) {
    if (!sent.has('resolution')) sent.set('resolution', null);
    if (!sent.has('ratio')) sent.set('ratio', null);
  }
  return sent;
}

/** The promise that keeps each parameter; real-person mode is sent by the options of a route. */
const promiseByLimit: Readonly<
  Record<Exclude<keyof ParameterLimits, 'realPerson'>, PromisedField>
> = {
  seconds: 'duration',
  resolutions: 'resolution',
  aspectRatios: 'ratio',
  audio: 'audio',
  ...(Object.fromEntries(extraPromises.map((name) => [name, name])) as {
    readonly [Name in ExtraLimit]: Name;
  }),
};

/**
 * The part of a model's support that its orders convey to the provider. A parameter that is not sent is covered only if
 * the model has a single value for it.
 * @param ofPicture Whether a video from a picture keeps the picture's ratio, so that none needs to be sent.
 */
export function coveredBy(support: RouteSupport, send: SendRules, ofPicture = false): RouteSupport {
  const sent = sentOf(send);
  const { modes, references } = support;
  const takesPicturesOnly = modes?.every((mode) => mode === 'image-to-video') === true;
  if (ofPicture && takesPicturesOnly) sent.set('ratio', null);
  const limits = Object.entries(promiseByLimit).map(([name, promise]) => [
    name,
    limitToSent(support[name as keyof typeof promiseByLimit], sent.get(promise)),
  ]);
  const counts = {
    image: countOf(references.image, send.images),
    video: countOf(references.video, send.videos),
    audio: countOf(references.audio, send.audios),
  };
  const isReferring = Object.values(counts).some((count) => count > 0);
  const isMade = (mode: string) => {
    if (mode === 'image-to-video') return sent.has('firstFrame');
    return mode !== 'multimodal-to-video' || isReferring;
  };
  return {
    ...support,
    ...(Object.fromEntries(limits) as Partial<ParameterLimits>),
    modes: modes?.filter(isMade) ?? null,
    lastFrame: support.lastFrame && sent.has('lastFrame'),
    references: counts,
  };
}

/** A field for one file accepts only one. */
function countOf(count: number, placement: Placement | undefined): number {
  if (placement === undefined) return 0;
  const isOne = typeof placement !== 'string' && Object.values(placement).includes('{file}');
  return isOne ? Math.min(1, count) : count;
}

type ParameterLimit = ParameterLimits[keyof ParameterLimits];

/** @param sent The values that can be sent; null for all, undefined for none. */
function limitToSent(
  limit: ParameterLimit,
  sent: readonly string[] | null | undefined,
): ParameterLimit {
  // A field that a provider always adds need not be sent.
  if (limit === 'always') return limit;
  if (typeof limit === 'boolean') return limit && sent !== undefined;
  if (typeof limit === 'number') return sent !== undefined && limit;
  if (sent === null) return limit;
  if (limit !== null && 'min' in limit) {
    return sent === undefined && limit.min === limit.max ? [limit.min] : [];
  }
  if (sent === undefined) return limit?.length === 1 ? limit : [];
  return (limit ?? sent).filter((value) => sent.includes(String(value))) as string[] | number[];
}
