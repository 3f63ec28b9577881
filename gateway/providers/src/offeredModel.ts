import type { ImageModel, Model, VideoMode, VideoModel } from '@framegate/contract';
import { offeredExtras } from './offeredExtras.ts';
import {
  type CoveredRequest,
  coversValues,
  coversWork,
  type RouteSupport,
} from './routeSupport.ts';

type Mode = VideoMode | null;
type RequestParameters = CoveredRequest['parameters'];
type InputAlternatives = readonly CoveredRequest['inputs'][];

/** The smallest inputs of images and of each mode, as alternatives: some models only edit, or need a last frame. */
const minInputs: Readonly<Record<VideoMode | 'image', InputAlternatives>> = {
  image: [[], [{ type: 'image', role: 'reference' }]],
  'text-to-video': [[]],
  'image-to-video': [
    [{ type: 'image', role: 'first_frame' }],
    [
      { type: 'image', role: 'first_frame' },
      { type: 'image', role: 'last_frame' },
    ],
  ],
  'multimodal-to-video': [
    [{ type: 'image', role: 'reference' }],
    [{ type: 'video', role: 'reference' }],
  ],
};

/**
 * A catalogue model narrowed to its routes, for `GET /v1/models`: every value that at least one of them makes in some
 * request; null if they make nothing. If the routes do not cover the catalogue's defaults, the nearest request covered
 * by one of them provides the defaults.
 */
export function offeredModel(model: Model, routes: readonly RouteSupport[]): Model | null {
  const { type, defaults } = model;
  const modes: readonly Mode[] = type === 'video' ? model.modes : [null];
  const all = parametersIn(model);
  // Once, and not with each of hundreds of combinations of values.
  const workers = new Map(
    modes.map((mode) => {
      const fits = (inputs: InputAlternatives[number]) => (route: RouteSupport) =>
        coversWork(route, { mode, inputs });
      const alternatives = minInputs[mode ?? 'image'].map(fits);
      return [mode, new Set(routes.filter((route) => alternatives.some((fit) => fit(route))))];
    }),
  );
  const makes = (route: RouteSupport, mode: Mode, parameters: RequestParameters) =>
    workers.get(mode)?.has(route) === true && coversValues(route, { type, mode, parameters });
  const possible = all
    .map((parameters) => ({
      parameters,
      modes: modes.filter((mode) => routes.some((route) => makes(route, mode, parameters))),
    }))
    .filter((each) => each.modes.length > 0);
  const changesIn = ({ parameters }: { parameters: RequestParameters }): number => {
    const { resolution, aspectRatio } = defaults;
    const changes = [parameters.resolution !== resolution, parameters.aspect_ratio !== aspectRatio];
    const count = changes.filter(Boolean).length;
    if (type === 'image') return count;
    const lengthened = Math.abs(secondsOf(parameters) - model.duration.default) / 100;
    return count + Number(soundOf(parameters) !== model.defaults.generateAudio) + lengthened;
  };
  // Among those with the most modes, the one with the fewest changes, then the first.
  const [best] = possible.toSorted(
    (a, b) => b.modes.length - a.modes.length || changesIn(a) - changesIn(b),
  );
  if (!best) return null;
  const makersOf = (mode: Mode) =>
    modes.includes(mode)
      ? routes.filter((route) => all.some((parameters) => makes(route, mode, parameters)))
      : [];
  const values = <T>(
    list: readonly T[],
    valueOf: (parameters: RequestParameters) => unknown,
  ): T[] => {
    const madeValues = new Set(possible.map(({ parameters }) => valueOf(parameters)));
    return list.filter((value) => madeValues.has(value));
  };
  const framed = makersOf('image-to-video');
  const frames = framed.some(({ lastFrame }) => lastFrame) ? 2 : Math.min(1, framed.length);
  const referring = makersOf(type === 'video' ? 'multimodal-to-video' : null);
  const references = (kind: 'image' | 'video' | 'audio') =>
    Math.max(0, ...referring.map((route) => route.references[kind]));
  const { resolution, aspect_ratio: aspectRatio } = best.parameters;
  const common = {
    resolutions: values(model.resolutions as readonly string[], (each) => each.resolution),
    aspectRatios: values(model.aspectRatios, (each) => each.aspect_ratio),
    defaults: { ...defaults, resolution, aspectRatio },
    ...(model.extras && { extras: offeredExtras(model, routes) }),
    inputs: limitInputs(model, {
      image: Math.max(frames, references('image')),
      video: type === 'video' ? references('video') : 0,
      audio: type === 'video' ? references('audio') : 0,
    }),
  };
  if (type === 'image') return { ...model, ...common } as ImageModel;
  const lengths = possible.map(({ parameters }) => secondsOf(parameters));
  const offered = {
    ...common,
    modes: model.modes.filter((mode) => possible.some((each) => each.modes.includes(mode))),
    realPersonModes: model.realPersonModes.filter((mode) =>
      makersOf(mode).some(({ realPerson }) => realPerson),
    ),
    generateAudio: possible.some(({ parameters }) => soundOf(parameters)),
    defaults: { ...common.defaults, generateAudio: soundOf(best.parameters) },
    duration: {
      min: Math.min(...lengths),
      max: Math.max(...lengths),
      default: secondsOf(best.parameters),
    },
  };
  return { ...model, ...offered } as VideoModel;
}

const soundOf = (parameters: RequestParameters): boolean =>
  'generate_audio' in parameters && parameters.generate_audio;

const secondsOf = (parameters: RequestParameters): number =>
  'duration_seconds' in parameters ? parameters.duration_seconds : 0;

/** The parameters of requests that decide which routes make them, in every combination. */
function parametersIn(model: Model): RequestParameters[] {
  const sizes = model.resolutions.flatMap((resolution) =>
    model.aspectRatios.map((aspect_ratio) => ({ resolution, aspect_ratio, seed: 1 })),
  );
  if (model.type === 'image') {
    const { outputFormat: output_format } = model.defaults;
    return sizes.map((size) => ({ ...size, n: 1, output_format })) as RequestParameters[];
  }
  const { min, max } = model.duration;
  const lengths = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  return sizes.flatMap((size) =>
    (model.generateAudio ? [false, true] : [false]).flatMap((generate_audio) =>
      lengths.map((duration_seconds) => ({
        ...size,
        duration_seconds,
        generate_audio,
        real_person_mode: false,
      })),
    ),
  ) as RequestParameters[];
}

function limitInputs(
  { inputs }: Model,
  counts: Record<'image' | 'video' | 'audio', number>,
): Model['inputs'] {
  const { image, video, audio } = inputs;
  return {
    image: { ...image, maxCount: Math.min(image.maxCount, counts.image) },
    video: { ...video, maxCount: Math.min(video.maxCount, counts.video) },
    audio: { ...audio, maxCount: Math.min(audio.maxCount, counts.audio) },
  };
}
