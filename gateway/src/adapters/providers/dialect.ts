import type {
  Experimental_VideoModelV4CallOptions as VideoCallOptions,
  Experimental_VideoModelV4File as VideoFile,
  ImageModelV4CallOptions as ImageCallOptions,
  ImageModelV4File as ImageFile,
  ImageModelV4Result as ImageResult,
} from '@ai-sdk/provider';
import type { ImageParameters, VideoParameters } from '@framegate/contract';
import type { Exchange, PollAnswer } from './exchanges.ts';
import { imageSize, videoSize } from './pixelSize.ts';
import type { FailureRules } from './providerFailures.ts';
import type { RouteSupport, SupportTable } from './routeSupport.ts';
import type { JsonObject } from './configuredRoutes.ts';

/** A request for a video, with its inputs as the provider takes them. */
export interface VideoOrder {
  /** The provider's own model id. */
  model: string;
  support: RouteSupport;
  parameters: VideoParameters;
  firstFrame: VideoFile | undefined;
  lastFrame: VideoFile | undefined;
  references: readonly VideoFile[];
}

/** A request for images, with its inputs as the provider takes them. */
export interface ImageOrder {
  model: string;
  support: RouteSupport;
  parameters: ImageParameters;
  references: readonly ImageFile[];
}

/** The parts of a call that carry our parameters; `own` goes into the provider's own options. */
export type VideoOrderCall = { own: JsonObject } & Pick<
  VideoCallOptions,
  | 'aspectRatio'
  | 'resolution'
  | 'duration'
  | 'seed'
  | 'image'
  | 'frameImages'
  | 'inputReferences'
  | 'generateAudio'
>;

/** As for videos. `seed` is the first image's; each further call gets the next one. */
export type ImageOrderCall = { own: JsonObject } & Pick<
  ImageCallOptions,
  'size' | 'aspectRatio' | 'seed' | 'files'
>;

/**
 * What a provider's package makes of the common interface: which of our parameters it takes where,
 * what its models cover, and how it refuses. Packages drop silently what they do not know, so each
 * parameter goes where the provider really reads it, or its table says that it is not covered.
 */
export interface Dialect extends Pick<
  FailureRules,
  'defaultRules' | 'declaredRefusal' | 'refusedBeforeWork' | 'isVerdict' | 'isLocal'
> {
  /** Its name in `providerOptions`. */
  name: string;
  /**
   * Hosts of its API, as `mediaHosts` has them, in addition to those that the provider's entry names. Absent
   * where they are not known.
   */
  apiHosts?: readonly string[];
  /** Takes pictures as bytes only, never as URLs. */
  takesBytesOnly?: boolean;
  /** The largest answer to a poll, in bytes, where finished files come inside it. */
  maxPollBytes?: number;
  /** What its models cover. */
  table: SupportTable;
  /**
   * Whether the provider's documentation says that it charges nothing for a job that failed with this answer;
   * absent: it may charge for any.
   */
  failureIsFree?(answer: Pick<Exchange, 'status'>): boolean;
  videoCall(order: VideoOrder): VideoOrderCall;
  imageCall(order: ImageOrder): ImageOrderCall;
  /**
   * Set where a submission of images only queues the work, so that an error which answers it came before
   * the work. Elsewhere the one request is the whole work, and an error may come after it.
   */
  queuesImages?: true;
  /** Images that one call makes, where the package's own number is wrong. */
  imagesPerCall?: number;
  /** What an answer to a poll inside an image call means, where the package does not know all of them. */
  parseImagePoll?(answer: unknown): PollAnswer;
  /** Paths of POSTs inside an image call that only ask what became of the order. */
  imageLooks?: RegExp;
  /** The text of a finished image call by which the provider took an image back; null: it took none. */
  refusedImages?(result: ImageResult): string | null;
  /**
   * The operation of a video task of which only the provider's own id is known, as the package's
   * `doStart` would have given it; null when that is no id. Absent where an id is not enough.
   */
  operationOf?(taskId: string, model: string): JsonObject | null;
  /**
   * The request that cancels a job, given its operation; null where that names none. Absent where the
   * provider does not offer it.
   */
  cancelRequest?(
    operation: unknown,
    api: { apiKey: string; baseURL: string },
  ): { method: 'POST' | 'PUT' | 'DELETE'; url: string; authorization: string } | null;
  /**
   * Where a submission goes, given where the package sends it and the provider's model id; absent where the
   * package is right.
   */
  submitUrl?(url: string, model: string): string;
  /**
   * Where a job's status can be asked for after its result was answered with a 5xx: the address, given that
   * of the result, and whether an answer from there says that the job is finished. Absent where a result
   * is asked for only after the status.
   */
  resultStatus?: {
    urlOf(resultUrl: string): string;
    isFinished(answer: unknown): boolean;
  };
  /** A job's end that the package cannot read, found in the provider's answer. */
  parseEnd?(answer: unknown): { urls: string[] } | { error: string } | null;
}

/** A text in an operation, under a name; null when it is not there. */
export function textIn(operation: unknown, name: string): string | null {
  if (typeof operation !== 'object' || operation === null) return null;
  const text = (operation as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : null;
}

/** A provider's task id as people copy it: it becomes part of a path, so nothing else may be in it. */
export function isPlainId(text: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,127}$/.test(text);
}

/** The interface as `@ai-sdk/provider` documents it, for packages without a dialect of their own. */
export const standardDialect: Omit<Dialect, 'name'> = {
  defaultRules: [],
  table: [],
  videoCall: (order) => ({ ...standardVideoCall(order), own: {} }),
  imageCall: (order) => ({ ...standardImageCall(order), own: {} }),
};

/** Every parameter of a video where the interface has a place for it. */
export function standardVideoCall(order: VideoOrder): Omit<VideoOrderCall, 'own'> {
  const { parameters, references, support } = order;
  return {
    aspectRatio: ratio(parameters.aspect_ratio),
    resolution: size(videoSize(parameters.resolution, parameters.aspect_ratio)),
    duration: parameters.duration_seconds,
    seed: parameters.seed,
    // Sent only where there is a choice.
    generateAudio: support.audio === true ? parameters.generate_audio : undefined,
    ...frames(order),
    inputReferences: references.length > 0 ? [...references] : undefined,
  };
}

/** Every parameter of an image where the interface has a place for it. */
export function standardImageCall(order: ImageOrder): Omit<ImageOrderCall, 'own'> {
  const { parameters, references } = order;
  return {
    size: size(imageSize(parameters.resolution, parameters.aspect_ratio)),
    aspectRatio: undefined,
    seed: parameters.seed,
    files: references.length > 0 ? [...references] : undefined,
  };
}

/** An aspect ratio in the interface's type; ours all have this form. */
export function ratio(text: string): `${number}:${number}` {
  const [across, down] = text.split(':').map(Number);
  return `${across ?? Number.NaN}:${down ?? Number.NaN}`;
}

function size({ width, height }: { width: number; height: number }): `${number}x${number}` {
  return `${width}x${height}`;
}

/** A first frame alone is `image`; with a last frame both go as `frameImages`. */
function frames({
  firstFrame,
  lastFrame,
}: VideoOrder): Pick<VideoOrderCall, 'image' | 'frameImages'> {
  if (!firstFrame || !lastFrame) return { image: firstFrame, frameImages: undefined };
  return {
    image: undefined,
    frameImages: [
      { image: firstFrame, frameType: 'first_frame' },
      { image: lastFrame, frameType: 'last_frame' },
    ],
  };
}
