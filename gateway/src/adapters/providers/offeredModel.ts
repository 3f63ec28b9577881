import type { ImageModel, Model, VideoModel } from '@framegate/contract';
import { covers, type RouteSupport } from './routeSupport.ts';

type Request = Parameters<typeof covers>[1];

/**
 * A model of the catalogue as far as its routes make it: every value that at least one of them does, for
 * `GET /v1/models`. Null when they make nothing of it. Where the catalogue's defaults are
 * beyond the routes, the nearest request that one of them covers gives the defaults.
 */
export function offeredModel(model: Model, routes: readonly RouteSupport[]): Model | null {
  return model.type === 'video' ? offeredVideo(model, routes) : offeredImage(model, routes);
}

const includes = (list: readonly string[] | null, value: string) => list?.includes(value) ?? true;

function offeredVideo(model: VideoModel, all: readonly RouteSupport[]): VideoModel | null {
  const seconds = range(model.duration.min, model.duration.max);
  const makesMode = (route: RouteSupport, mode: string) =>
    includes(route.modes, mode) &&
    (mode !== 'multimodal-to-video' || route.references.image + route.references.video > 0);
  const makesSeconds = ({ seconds: made }: RouteSupport, length: number) =>
    made === null ||
    ('min' in made ? length >= made.min && length <= made.max : made.includes(length));
  const routes = all.filter(
    (route) =>
      model.modes.some((mode) => makesMode(route, mode)) &&
      model.resolutions.some((each) => includes(route.resolutions, each)) &&
      model.aspectRatios.some((each) => includes(route.aspectRatios, each)) &&
      seconds.some((each) => makesSeconds(route, each)) &&
      (route.audio !== 'always' || model.generateAudio),
  );
  const made = <T>(values: readonly T[], makes: (route: RouteSupport, value: T) => boolean): T[] =>
    values.filter((value) => routes.some((route) => makes(route, value)));
  const modes = made(model.modes, makesMode);
  const lengths = made(seconds, makesSeconds);
  const references = (type: 'image' | 'video' | 'audio') =>
    modes.includes('multimodal-to-video')
      ? most(
          routes.map((route) =>
            includes(route.modes, 'multimodal-to-video') ? route.references[type] : 0,
          ),
        )
      : 0;
  const framed = routes.filter((route) => makesMode(route, 'image-to-video'));
  const frames = modes.includes('image-to-video')
    ? framed.some(({ lastFrame }) => lastFrame)
      ? 2
      : 1
    : 0;
  const offered: VideoModel = {
    ...model,
    modes,
    realPersonModes: model.realPersonModes.filter((mode) => modes.includes(mode)),
    resolutions: made(model.resolutions, (route, each) => includes(route.resolutions, each)),
    aspectRatios: made(model.aspectRatios, (route, each) => includes(route.aspectRatios, each)),
    generateAudio: model.generateAudio && routes.some(({ audio }) => audio !== false),
    duration: {
      min: Math.min(...lengths),
      max: Math.max(...lengths),
      default: model.duration.default,
    },
    inputs: limitInputs(model, {
      image: Math.max(frames, references('image')),
      video: references('video'),
      audio: references('audio'),
    }),
  };
  return routes.length === 0 ? null : withVideoDefaults(offered, routes, lengths);
}

function offeredImage(model: ImageModel, all: readonly RouteSupport[]): ImageModel | null {
  const routes = all.filter(
    (route) =>
      model.resolutions.some((each) => includes(route.resolutions, each)) &&
      model.aspectRatios.some((each) => includes(route.aspectRatios, each)),
  );
  const offered: ImageModel = {
    ...model,
    resolutions: model.resolutions.filter((each) =>
      routes.some((route) => includes(route.resolutions, each)),
    ),
    aspectRatios: model.aspectRatios.filter((each) =>
      routes.some((route) => includes(route.aspectRatios, each)),
    ),
    inputs: limitInputs(model, {
      image: most(routes.map(({ references }) => references.image)),
      video: 0,
      audio: 0,
    }),
  };
  return routes.length === 0 ? null : withImageDefaults(offered, routes);
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

/** The smallest inputs of each mode: any of them. */
const leastInputs: Readonly<Record<VideoModel['modes'][number], readonly Request['inputs'][]>> = {
  'text-to-video': [[]],
  'image-to-video': [[{ type: 'image', role: 'first_frame' }]],
  'multimodal-to-video': [
    [{ type: 'image', role: 'reference' }],
    [{ type: 'video', role: 'reference' }],
  ],
};

/** Defaults that as many modes as possible can be ordered with, as near to the catalogue's as can be. */
function withVideoDefaults(
  model: VideoModel,
  routes: readonly RouteSupport[],
  lengths: readonly number[],
): VideoModel {
  const { defaults, duration } = model;
  const candidates = model.resolutions.flatMap((resolution) =>
    model.aspectRatios.flatMap((aspectRatio) =>
      [false, true].flatMap((generateAudio) =>
        lengths.map((length) => ({ resolution, aspectRatio, generateAudio, length })),
      ),
    ),
  );
  const modesOf = (each: (typeof candidates)[number]) =>
    model.modes.filter((mode) =>
      leastInputs[mode].some((inputs) =>
        isMade(routes, {
          type: 'video',
          mode,
          inputs,
          parameters: {
            duration_seconds: each.length,
            resolution: each.resolution,
            aspect_ratio: each.aspectRatio,
            generate_audio: each.generateAudio,
            seed: 1,
            real_person_mode: false,
          },
        }),
      ),
    ).length;
  const changes = (each: (typeof candidates)[number]) =>
    Number(each.resolution !== defaults.resolution) +
    Number(each.aspectRatio !== defaults.aspectRatio) +
    Number(each.generateAudio !== defaults.generateAudio) +
    Math.abs(each.length - duration.default) / 100;
  const best = nearest(candidates, modesOf, changes);
  if (!best) return model;
  const { length, ...rest } = best;
  return { ...model, defaults: rest, duration: { ...duration, default: length } };
}

function withImageDefaults(model: ImageModel, routes: readonly RouteSupport[]): ImageModel {
  const { defaults } = model;
  const candidates = model.resolutions.flatMap((resolution) =>
    model.aspectRatios.map((aspectRatio) => ({ resolution, aspectRatio })),
  );
  const isOffered = ({ resolution, aspectRatio }: (typeof candidates)[number]) =>
    isMade(routes, {
      type: 'image',
      mode: null,
      inputs: [],
      parameters: {
        n: 1,
        resolution,
        aspect_ratio: aspectRatio,
        output_format: defaults.outputFormat,
        seed: 1,
      },
    });
  const changes = (each: (typeof candidates)[number]) =>
    Number(each.resolution !== defaults.resolution) +
    Number(each.aspectRatio !== defaults.aspectRatio);
  const best = nearest(candidates, (each) => Number(isOffered(each)), changes);
  return best ? { ...model, defaults: { ...defaults, ...best } } : model;
}

/** The candidate that most is made with; of equal ones that with the fewest changes, then the first. */
function nearest<T>(
  candidates: readonly T[],
  madeWith: (candidate: T) => number,
  changes: (candidate: T) => number,
): T | undefined {
  const measured = candidates.map((each) => ({ each, made: madeWith(each), far: changes(each) }));
  return measured.toSorted((a, b) => b.made - a.made || a.far - b.far)[0]?.each;
}

const isMade = (routes: readonly RouteSupport[], request: Request) =>
  routes.some((route) => covers(route, request));
const most = (numbers: readonly number[]) => Math.max(0, ...numbers);
const range = (min: number, max: number) =>
  Array.from({ length: max - min + 1 }, (_, i) => min + i);
