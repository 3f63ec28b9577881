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

/** A video request with its prepared inputs. */
export interface VideoOrder {
  /** The provider's own model id. */
  model: string;
  support: RouteSupport;
  parameters: VideoParameters;
  firstFrame: VideoFile | undefined;
  lastFrame: VideoFile | undefined;
  references: readonly VideoFile[];
}

/** An image request with its prepared inputs. */
export interface ImageOrder {
  model: string;
  support: RouteSupport;
  parameters: ImageParameters;
  references: readonly ImageFile[];
}

/** The parts of a call that carry our parameters; `own` are the provider's own options. */
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

/** The same for images. `seed` is that of the first image; each further call gets the next one. */
export type ImageOrderCall = { own: JsonObject } & Pick<
  ImageCallOptions,
  'size' | 'aspectRatio' | 'seed' | 'files'
>;

/**
 * A provider package's dialect of the common interface: where it takes each of our parameters, what its models
 * cover, and how it refuses. Packages silently drop what they do not know, so each parameter is sent where the
 * provider really reads it, or its table declares it as not covered.
 */
export interface Dialect extends Pick<
  FailureRules,
  'defaultRules' | 'declaredRefusal' | 'refusedBeforeWork' | 'isVerdict' | 'isLocal'
> {
  /** Its name in `providerOptions`. */
  name: string;
  /**
   * Hosts of its API, in the notation of `mediaHosts`, in addition to those in the provider's entry. Absent if
   * they are not known.
   */
  apiHosts?: readonly string[];
  /** Whether it takes pictures only as bytes. */
  takesBytesOnly?: boolean;
  /** Largest answer to a poll, in bytes, if it contains finished files. */
  maxPollBytes?: number;
  /** Support of its models. */
  table: SupportTable;
  /**
   * Whether, by the provider's documentation, a job that failed with this answer is free; absent if any may be
   * charged.
   */
  failureIsFree?(answer: Pick<Exchange, 'status'>): boolean;
  videoCall(order: VideoOrder): VideoOrderCall;
  imageCall(order: ImageOrder): ImageOrderCall;
  /**
   * Set if an image submission only queues the work, so that an error in its answer precedes the work.
   * Otherwise the one request is the whole work, and an error may follow it.
   */
  queuesImages?: true;
  /** Images per call, if the package's own number is wrong. */
  imagesPerCall?: number;
  /** Interprets an answer to a poll inside an image call, if the package does not know all of them. */
  parseImagePoll?(answer: unknown): PollAnswer;
  /** Paths of POSTs inside an image call that only poll. */
  imageLooks?: RegExp;
  /** The text by which the provider withdrew an image in a finished call; null if it withdrew none. */
  refusedImages?(result: ImageResult): string | null;
  /**
   * The operation for a provider's task id, as the package's `doStart` would return it; null for an invalid id.
   * Absent if an id is not sufficient.
   */
  operationOf?(taskId: string, model: string): JsonObject | null;
  /**
   * The request that cancels a job; null if its operation names none. Absent if the provider does not offer
   * cancellation.
   */
  cancelRequest?(
    operation: unknown,
    api: { apiKey: string; baseURL: string },
  ): { method: 'POST' | 'PUT' | 'DELETE'; url: string; authorization: string } | null;
  /**
   * Corrects the URL of a submission, given the package's URL and the provider's model id; absent if the
   * package is right.
   */
  submitUrl?(url: string, model: string): string;
  /**
   * Finds a job's status after its result was answered with a 5xx: the address, derived from that of the
   * result, and whether an answer from there says that the job is finished. Absent if results are requested
   * only after the status.
   */
  resultStatus?: {
    urlOf(resultUrl: string): string;
    isFinished(answer: unknown): boolean;
  };
  /** Reads a job's end that the package cannot read from the provider's answer. */
  parseEnd?(answer: unknown): { urls: string[] } | { error: string } | null;
}

/** A text field of an operation, or null. */
export function textIn(operation: unknown, name: string): string | null {
  if (typeof operation !== 'object' || operation === null) return null;
  const text = (operation as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : null;
}

/** Whether a copied task id is plain: it becomes part of a path, so nothing else may be in it. */
export function isPlainId(text: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,127}$/.test(text);
}

/** The interface as documented by `@ai-sdk/provider`, for packages without a dialect of their own. */
export const standardDialect: Omit<Dialect, 'name'> = {
  defaultRules: [],
  table: [],
  videoCall: (order) => ({ ...standardVideoCall(order), own: {} }),
  imageCall: (order) => ({ ...standardImageCall(order), own: {} }),
};

/** Places every parameter of a video in the interface's own fields. */
export function standardVideoCall(order: VideoOrder): Omit<VideoOrderCall, 'own'> {
  const { parameters, references, support } = order;
  return {
    aspectRatio: ratio(parameters.aspect_ratio),
    resolution: size(videoSize(parameters.resolution, parameters.aspect_ratio)),
    duration: parameters.duration_seconds,
    seed: parameters.seed,
    // Sent only if there is a choice.
    generateAudio: support.audio === true ? parameters.generate_audio : undefined,
    ...frames(order),
    inputReferences: references.length > 0 ? [...references] : undefined,
  };
}

/** Places every parameter of an image in the interface's own fields. */
export function standardImageCall(order: ImageOrder): Omit<ImageOrderCall, 'own'> {
  const { parameters, references } = order;
  return {
    size: size(imageSize(parameters.resolution, parameters.aspect_ratio)),
    aspectRatio: undefined,
    seed: parameters.seed,
    files: references.length > 0 ? [...references] : undefined,
  };
}

/** An aspect ratio in the interface's type; all ours have this form. */
export function ratio(text: string): `${number}:${number}` {
  const [across, down] = text.split(':').map(Number);
  return `${across ?? Number.NaN}:${down ?? Number.NaN}`;
}

function size({ width, height }: { width: number; height: number }): `${number}x${number}` {
  return `${width}x${height}`;
}

/** A first frame alone is `image`; with a last frame both are `frameImages`. */
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
