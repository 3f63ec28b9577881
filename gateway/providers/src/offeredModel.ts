import type { ImageModel, Model, VideoMode, VideoModel } from '@framegate/contract';
import { covers, type CoveredRequest, type RouteSupport } from './routeSupport.ts';

/**
 * A catalogue model narrowed to the abilities of its routes, for `GET /v1/models`: every value that at least one
 * of them covers in some request; null if they cover nothing. If the routes do not cover the catalogue's defaults,
 * the nearest request that one of them covers provides the defaults.
 */
export function offeredModel(model: Model, routes: readonly RouteSupport[]): Model | null {
  return model.type === 'video' ? offeredVideo(model, routes) : offeredImage(model, routes);
}

/** The parameters of a video that decide which routes make it. */
interface VideoValues {
  resolution: VideoModel['resolutions'][number];
  aspectRatio: VideoModel['aspectRatios'][number];
  generateAudio: boolean;
  /** Whole seconds. */
  length: number;
}

/** The smallest inputs of each mode, as alternatives: some models need a last frame. */
const leastInputs: Readonly<Record<VideoMode, readonly CoveredRequest['inputs'][]>> = {
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

function offeredVideo(model: VideoModel, routes: readonly RouteSupport[]): VideoModel | null {
  const all = videoValues(model);
  const made = all
    .map((values) => ({
      values,
      modes: model.modes.filter((mode) => routes.some((route) => makes(route, mode, values))),
    }))
    .filter(({ modes }) => modes.length > 0);
  const { defaults, duration } = model;
  const best = nearest(made, ({ modes }) => modes.length, [
    ({ values }) => values.resolution !== defaults.resolution,
    ({ values }) => values.aspectRatio !== defaults.aspectRatio,
    ({ values }) => values.generateAudio !== defaults.generateAudio,
    ({ values }) => Math.abs(values.length - duration.default) / 100,
  ]);
  if (!best) return null;
  const makersOf = (mode: VideoMode) =>
    model.modes.includes(mode)
      ? routes.filter((route) => all.some((values) => makes(route, mode, values)))
      : [];
  const offers = <T>(
    list: readonly T[],
    isIn: (each: (typeof made)[number], value: T) => boolean,
  ) => list.filter((value) => made.some((each) => isIn(each, value)));
  const framed = makersOf('image-to-video');
  const frames = framed.some(({ lastFrame }) => lastFrame) ? 2 : Math.min(1, framed.length);
  const referring = makersOf('multimodal-to-video');
  const references = (type: 'image' | 'video' | 'audio') =>
    most(referring.map((route) => route.references[type]));
  const lengths = made.map(({ values }) => values.length);
  const { length, ...rest } = best.values;
  return {
    ...model,
    modes: offers(model.modes, ({ modes }, mode) => modes.includes(mode)),
    realPersonModes: model.realPersonModes.filter((mode) =>
      makersOf(mode).some(({ realPerson }) => realPerson),
    ),
    resolutions: offers(model.resolutions, ({ values }, each) => values.resolution === each),
    aspectRatios: offers(model.aspectRatios, ({ values }, each) => values.aspectRatio === each),
    generateAudio: made.some(({ values }) => values.generateAudio),
    defaults: rest,
    duration: { min: Math.min(...lengths), max: Math.max(...lengths), default: length },
    inputs: limitInputs(model, {
      image: Math.max(frames, references('image')),
      video: references('video'),
      audio: references('audio'),
    }),
  };
}

function videoValues({ resolutions, aspectRatios, ...model }: VideoModel): VideoValues[] {
  const { min, max } = model.duration;
  const lengths = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return resolutions.flatMap((resolution) =>
    aspectRatios.flatMap((aspectRatio) =>
      (model.generateAudio ? [false, true] : [false]).flatMap((generateAudio) =>
        lengths.map((length) => ({ resolution, aspectRatio, generateAudio, length })),
      ),
    ),
  );
}

/** Whether a route makes these values in a mode, with the smallest inputs. */
function makes(route: RouteSupport, mode: VideoMode, values: VideoValues): boolean {
  const parameters = {
    duration_seconds: values.length,
    resolution: values.resolution,
    aspect_ratio: values.aspectRatio,
    generate_audio: values.generateAudio,
    seed: 1,
    real_person_mode: false,
  };
  return leastInputs[mode].some((inputs) =>
    covers(route, { type: 'video', mode, inputs, parameters }),
  );
}

/** Some models only edit pictures. */
const imageInputs: readonly CoveredRequest['inputs'][] = [
  [],
  [{ type: 'image', role: 'reference' }],
];

function offeredImage(model: ImageModel, routes: readonly RouteSupport[]): ImageModel | null {
  const { defaults } = model;
  const all = model.resolutions.flatMap((resolution) =>
    model.aspectRatios.map((aspectRatio) => ({ resolution, aspectRatio })),
  );
  const makesImage = (route: RouteSupport, values: (typeof all)[number]) =>
    imageInputs.some((inputs) =>
      covers(route, {
        type: 'image',
        mode: null,
        inputs,
        parameters: {
          n: 1,
          resolution: values.resolution,
          aspect_ratio: values.aspectRatio,
          output_format: defaults.outputFormat,
          seed: 1,
        },
      }),
    );
  const made = all.filter((values) => routes.some((route) => makesImage(route, values)));
  const best = nearest(made, () => 1, [
    ({ resolution }) => resolution !== defaults.resolution,
    ({ aspectRatio }) => aspectRatio !== defaults.aspectRatio,
  ]);
  if (!best) return null;
  const makers = routes.filter((route) => all.some((values) => makesImage(route, values)));
  return {
    ...model,
    resolutions: model.resolutions.filter((each) =>
      made.some(({ resolution }) => resolution === each),
    ),
    aspectRatios: model.aspectRatios.filter((each) =>
      made.some(({ aspectRatio }) => aspectRatio === each),
    ),
    defaults: { ...defaults, ...best },
    inputs: limitInputs(model, {
      image: most(makers.map(({ references }) => references.image)),
      video: 0,
      audio: 0,
    }),
  };
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

/** The candidate of greatest worth; among equals the one with the fewest changes, then the first. */
function nearest<T>(
  candidates: readonly T[],
  worth: (candidate: T) => number,
  changes: readonly ((candidate: T) => boolean | number)[],
): T | undefined {
  const measured = candidates.map((each) => ({
    each,
    worth: worth(each),
    far: changes.reduce((sum, change) => sum + Number(change(each)), 0),
  }));
  return measured.toSorted((a, b) => b.worth - a.worth || a.far - b.far)[0]?.each;
}

const most = (numbers: readonly number[]) => Math.max(0, ...numbers);
