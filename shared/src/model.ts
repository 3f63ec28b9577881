import type {
  ImageAspectRatio,
  ImageFormat,
  ImageResolution,
  VideoAspectRatio,
  VideoMode,
  VideoResolution,
} from './choices.ts';
import type { Extras } from './parameters.ts';

/** Limits of image inputs: number of files, and size of each file. */
export interface ImageInputLimits {
  maxCount: number;
  /** Bytes of one file. */
  maxBytes: number;
  /** Width times height of one image. */
  maxPixels: number;
}

/** Limits of video or audio inputs. */
export interface TimedInputLimits {
  maxCount: number;
  /** Bytes of one file. */
  maxBytes: number;
  /** Seconds of all files of this type together. */
  maxSeconds: number;
}

/** Inputs of a model; a `maxCount` of 0 excludes the type. */
export interface InputLimits {
  image: Readonly<ImageInputLimits>;
  video: Readonly<TimedInputLimits>;
  audio: Readonly<TimedInputLimits>;
}

/** A quotient of two positive whole numbers. */
export interface Fraction {
  numerator: number;
  denominator: number;
}

interface ModelBase {
  /** The fractions and texts that it takes; none for most models. */
  extras?: Extras;
  id: string;
  displayName: string;
  /** Code points of the prompt after trimming. */
  maxPromptLength: number;
  inputs: Readonly<InputLimits>;
  /** Usual duration of a generation, in seconds. */
  typicalSeconds: number;
  /** Maximum duration of a generation, in seconds; then it fails and is refunded. */
  maxSeconds: number;
  /** Day of the deprecation notice (UTC, ISO 8601), or null. */
  deprecatedAt: string | null;
  /** Time of removal (UTC, ISO 8601), or null. */
  sunsetAt: string | null;
}

/** A video model. */
export interface VideoModel extends ModelBase {
  type: 'video';
  modes: readonly VideoMode[];
  /** Length of a video in whole seconds. */
  duration: Readonly<{ min: number; max: number; default: number }>;
  resolutions: readonly VideoResolution[];
  aspectRatios: readonly VideoAspectRatio[];
  /** Whether the model can generate sound. */
  generateAudio: boolean;
  /** Modes that allow real-person mode; none for most models. */
  realPersonModes: readonly VideoMode[];
  /** Credits per second of video without sound. */
  creditsPerSecond: Readonly<Partial<Record<VideoResolution, number>>>;
  /** Factor on the price of a video with sound. */
  audioFactor: Readonly<Fraction>;
  defaults: Readonly<{
    resolution: VideoResolution;
    aspectRatio: VideoAspectRatio;
    generateAudio: boolean;
  }>;
}

/** An image model. */
export interface ImageModel extends ModelBase {
  type: 'image';
  resolutions: readonly ImageResolution[];
  aspectRatios: readonly ImageAspectRatio[];
  outputFormats: readonly ImageFormat[];
  /** Number of images per generation. */
  n: Readonly<{ min: number; max: number }>;
  /** Credits per image. */
  creditsPerImage: Readonly<Partial<Record<ImageResolution, number>>>;
  defaults: Readonly<{
    n: number;
    resolution: ImageResolution;
    aspectRatio: ImageAspectRatio;
    outputFormat: ImageFormat;
  }>;
}

/** A model of the catalogue. */
export type Model = VideoModel | ImageModel;
