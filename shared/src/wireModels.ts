import type {
  Fraction,
  ImageFormat,
  ImageResolution,
  VideoMode,
  VideoResolution,
} from './model.ts';

/* Answer of GET /models on the wire, with fields in the order of sending. */

/** An example of a price. */
export interface PriceExample<P> {
  parameters: P;
  cost_credits: number;
}

/** Price of a video: credits of the resolution times seconds, times `audio` with sound, rounded up. */
export interface VideoPricing {
  unit: 'credits';
  per: 'second';
  credits: Record<string, number>;
  audio: Fraction;
  rounding: 'up';
  examples: PriceExample<{
    duration_seconds: number;
    resolution: VideoResolution;
    generate_audio: boolean;
  }>[];
}

/** Price of images: credits of the resolution times `n`. */
export interface ImagePricing {
  unit: 'credits';
  per: 'image';
  credits: Record<string, number>;
  rounding: 'up';
  examples: PriceExample<{ n: number; resolution: ImageResolution }>[];
}

export type Pricing = VideoPricing | ImagePricing;

/** An announced price. */
export interface NextPricing {
  /** When it takes effect; a create is charged the price in force when it is accepted. */
  starts_at: string;
  pricing: Pricing;
}

/** Capabilities of a model; null, [] or false for fields that do not apply to its type. */
export interface Capabilities {
  modes: VideoMode[];
  duration_seconds: { min: number; max: number; default: number } | null;
  resolutions: string[];
  aspect_ratios: string[];
  generate_audio: boolean;
  real_person_modes: VideoMode[];
  /** Code points after trimming. */
  max_prompt_length: number;
  inputs: {
    image: { max_count: number; max_bytes: number; max_pixels: number };
    video: { max_count: number; max_bytes: number; max_seconds: number };
    audio: { max_count: number; max_bytes: number; max_seconds: number };
  };
  n: { min: number; max: number } | null;
  output_formats: ImageFormat[];
}

/** One model of GET /models. */
export interface ModelEntry {
  id: string;
  object: 'model';
  type: 'video' | 'image';
  display_name: string;
  capabilities: Capabilities;
  pricing: Pricing;
  /** Null if no other price is announced. */
  next_pricing: NextPricing | null;
  typical_seconds: number;
  max_seconds: number;
  deprecated_at: string | null;
  sunset_at: string | null;
}

/** Answer of GET /models. */
export interface ModelList {
  object: 'list';
  data: ModelEntry[];
}
