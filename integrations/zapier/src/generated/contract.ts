/* Generated from the gateway's contract by "npm run generate": do not edit. */

/** A minute, in ms. */
export const minuteMs = 60_000;
/** An hour, in ms. */
export const hourMs = 60 * minuteMs;
/** A day, in ms; UTC has no daylight saving time, and these days ignore leap seconds. */
export const dayMs = 24 * hourMs;

/** Modes of a video. */
export const videoModes = ['text-to-video', 'image-to-video', 'multimodal-to-video'] as const;
/** The way to make a video. */
export type VideoMode = (typeof videoModes)[number];

/** Resolutions of videos. */
export const videoResolutions = ['480p', '720p', '1080p', '1440p', '2160p'] as const;
/** A resolution of a video. */
export type VideoResolution = (typeof videoResolutions)[number];

/** Aspect ratios of videos. */
export const videoAspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const;
/** An aspect ratio of a video. */
export type VideoAspectRatio = (typeof videoAspectRatios)[number];

/** Resolutions of images. */
export const imageResolutions = ['1k', '2k', '4k'] as const;
/** A resolution of an image. */
export type ImageResolution = (typeof imageResolutions)[number];

/** Aspect ratios of images. */
export const imageAspectRatios = [...videoAspectRatios, '3:2', '2:3'] as const;
/** An aspect ratio of an image. */
export type ImageAspectRatio = (typeof imageAspectRatios)[number];

/** File formats of images. */
export const imageFormats = ['png', 'jpeg', 'webp'] as const;
/** A file format of an image. */
export type ImageFormat = (typeof imageFormats)[number];

/** Media types of inputs. */
export const inputTypes = ['image', 'video', 'audio'] as const;
/** The media type of an input. */
export type InputType = (typeof inputTypes)[number];

/** Uses of inputs in a generation. */
export const inputRoles = ['first_frame', 'last_frame', 'reference'] as const;
/** The use of an input in a generation. */
export type InputRole = (typeof inputRoles)[number];

/** Range of seeds; excludes 0, which some providers treat as "none". */
export const seedRange = { min: 1, max: 2_147_483_647 } as const;

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

/** States of a generation. */
export const statuses = ['queued', 'processing', 'completed', 'failed'] as const;
/** A state of a generation. */
export type Status = (typeof statuses)[number];

/** True for states that never change. */
export function isFinal(status: Status): boolean {
  return status === 'completed' || status === 'failed';
}

/**
 * Error types, for callers that do not distinguish codes: `invalid_request_error` the request must be changed;
 * `authentication_error` the key is invalid; `billing_error` credits or the key's limit are insufficient;
 * `permission_error` not allowed for this account or key; `not_found_error` does not exist for this key;
 * `idempotency_error` problem with the Idempotency-Key; `rate_limit_error` too many requests; `content_policy_error`
 * problem with the content or its consent; `api_error` problem of the service.
 */
export const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'idempotency_error',
  'rate_limit_error',
  'content_policy_error',
  'api_error',
] as const;
/** The type of an error. */
export type ErrorType = (typeof errorTypes)[number];

/** An entry of the error catalogue. */
export interface ErrorEntry {
  /** HTTP status. */
  status: number;
  type: ErrorType;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** Explanation and remedy, safe for any caller. */
  message: string;
}

/** All codes of refused requests. */
export const errorCodes = {
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The body is not valid JSON. Send one JSON object in UTF-8.',
  },
  invalid_request: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The request is not valid. Correct the fields listed in details and send it again.',
  },
  idempotency_key_missing: {
    status: 400,
    type: 'idempotency_error',
    retryable: false,
    message:
      'Send an Idempotency-Key header with every create request: a new value for each new generation, the same value when you repeat a request.',
  },
  idempotency_key_invalid: {
    status: 400,
    type: 'idempotency_error',
    retryable: false,
    message: 'The Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.',
  },
  input_url_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'An input URL is not allowed. Use a public https URL with a host name, at most 2,048 characters long.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    retryable: false,
    message:
      'The API key is missing or not valid. Send "Authorization: Bearer <API key>" with a key from your account settings.',
  },
  insufficient_credits: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'There are not enough credits for this generation. Add credits or choose a cheaper setting.',
  },
  key_limit_reached: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'This API key or team member has reached a credit limit. Raise the limit in your account settings, or wait for the next day or month (UTC).',
  },
  price_above_limit: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'This generation costs more than the limit sent with the request. Nothing was charged. Choose a cheaper setting, or raise the limit.',
  },
  account_suspended: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This account is suspended. Contact support.',
  },
  input_host_not_approved: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message:
      'The host of an input URL is not approved for this API key. Request approval in your account settings, or use an approved host.',
  },
  generation_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'No generation with this ID exists in your account. Check the ID.',
  },
  model_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message:
      'This model does not exist or is not enabled for your key. GET /models lists the models you can use.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'There is nothing at this address. Check the path; all paths begin with /v1.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'This path does not support this method. The Allow header lists the supported methods.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The body is larger than 256 KiB. Pass media as URLs in inputs, not in the body.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Send the body as JSON with the header "Content-Type: application/json".',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'idempotency_error',
    retryable: false,
    message:
      'This Idempotency-Key was already used with a different body. Repeat the original body unchanged, or use a new key for a new generation.',
  },
  consent_required: {
    status: 422,
    type: 'content_policy_error',
    retryable: false,
    message:
      'Real-person mode requires compliance.rights_confirmed: true and compliance.consent_reference, your own reference for the consent.',
  },
  real_person_not_allowed: {
    status: 422,
    type: 'content_policy_error',
    retryable: false,
    message:
      'Real-person mode is not available for this model and mode. GET /models lists real_person_modes for each model.',
  },
  content_policy_violation: {
    status: 422,
    type: 'content_policy_error',
    retryable: false,
    message: 'The request violates the content rules. Change the prompt or the inputs.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message: 'Too many requests. Wait the number of seconds in Retry-After, then try again.',
  },
  concurrency_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message:
      'This account has too many generations running or waiting. Wait until some have finished, then try again.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retryable: true,
    message:
      'Something went wrong on our end. Send the same request again; with the same Idempotency-Key, you are never charged twice.',
  },
  model_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      'This model is not available right now. Nothing was charged. Try again later or use another model.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      'The service is temporarily unavailable. Wait the number of seconds in Retry-After, then send the same request again, with the same Idempotency-Key if it creates something.',
  },
  clock_wrong: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      "Our servers' clocks disagree, so we cannot accept new requests right now. Wait the number of seconds in Retry-After, then send the same request again, with the same Idempotency-Key.",
  },
} as const satisfies Record<string, ErrorEntry>;
/** The code of a refused request. */
export type ErrorCode = keyof typeof errorCodes;

/** An entry of the failure catalogue. */
interface FailureEntry {
  type: ErrorType;
  /** Whether a new request with the same body may succeed. */
  retryable: boolean;
  /** Explanation and remedy, safe for any caller. */
  message: string;
}

/** All codes of failed generations, which are always refunded. */
export const failureCodes = {
  input_unreachable: {
    type: 'invalid_request_error',
    retryable: true,
    message:
      'An input could not be downloaded from its URL. Make sure it responds with 200 within 60 seconds, without redirects, then try again.',
  },
  input_invalid: {
    type: 'invalid_request_error',
    retryable: false,
    message:
      'An input file has the wrong type, size or length for this model. Check it against the limits in GET /models.',
  },
  input_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message: 'The prompt or an input was rejected by the safety check. Change it and try again.',
  },
  output_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message:
      'The result was blocked by the safety check. Change the prompt or the inputs and try again.',
  },
  real_person_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message:
      "An input was rejected because it seems to show a real person's face. Use a different input, or real-person mode if the model supports it.",
  },
  capacity_exceeded: {
    type: 'api_error',
    retryable: true,
    message: 'There was no capacity to start this generation in time. Try again later.',
  },
  generation_timeout: {
    type: 'api_error',
    retryable: true,
    message: 'The generation did not finish in time. Try again.',
  },
  generation_failed: {
    type: 'api_error',
    retryable: true,
    message: 'The generation failed. Try again; if it keeps failing, change the request.',
  },
  internal_error: {
    type: 'api_error',
    retryable: true,
    message: 'Something went wrong on our end. Try again.',
  },
} as const satisfies Record<string, FailureEntry>;
/** The code of a failed generation. */
export type FailureCode = keyof typeof failureCodes;

/**
 * Whether a failure's message names the kind of the file at fault (`describeWrongFile`), and so says more than the text
 * of its code.
 */
export const namesWrongFile = (message: string): boolean =>
  /^This is [^\n:]{1,100}: send [^\n:]{1,120}\.$/.test(message);

/** Codes of individual problems in `details`. */
export const detailCodes = [
  /** The field is missing. */
  'required',
  /** The field does not exist. */
  'unknown_field',
  /** The value has the wrong JSON type. */
  'invalid_type',
  /** The value is not allowed. */
  'invalid_value',
  'too_short',
  'too_long',
  'too_many',
  /** The number is too small or too large. */
  'out_of_range',
  /** The model does not offer this. */
  'not_supported',
  /** The field cannot be combined with another one. */
  'not_allowed',
] as const;
/** The code of one problem in `details`. */
export type DetailCode = (typeof detailCodes)[number];

/** A problem that the rules of requests found: parameter (such as `inputs[1].url`), kind and remedy. */
export interface Problem {
  param: string;
  code: DetailCode;
  message: string;
}

/** Format of a file by its first bytes. */
export interface MediaFormat {
  /** ISO media files contain video or sound, depending on their tracks. */
  readonly type: 'image' | 'video' | 'audio' | 'video or audio';
  readonly mediaType: string;
  /** File extension without a dot. */
  readonly extension: string;
}

/** The files accepted as inputs, including those of generations. */
export const mediaFormats = {
  jpeg: { type: 'image', mediaType: 'image/jpeg', extension: 'jpg' },
  png: { type: 'image', mediaType: 'image/png', extension: 'png' },
  webp: { type: 'image', mediaType: 'image/webp', extension: 'webp' },
  mp4: { type: 'video or audio', mediaType: 'video/mp4', extension: 'mp4' },
  mov: { type: 'video', mediaType: 'video/quicktime', extension: 'mov' },
  webm: { type: 'video', mediaType: 'video/webm', extension: 'webm' },
  m4a: { type: 'audio', mediaType: 'audio/mp4', extension: 'm4a' },
  wav: { type: 'audio', mediaType: 'audio/wav', extension: 'wav' },
  mp3: { type: 'audio', mediaType: 'audio/mpeg', extension: 'mp3' },
  aac: { type: 'audio', mediaType: 'audio/aac', extension: 'aac' },
} as const satisfies Record<string, MediaFormat>;

/** Brands of still pictures in ISO media files (HEIF, AVIF), which are not accepted. */
const pictureBrands = ['avif', 'avis', 'heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];

/** Bytes at the start of a file that identify its format. */
export const mediaHeadBytes = 12;

/**
 * The format of a file by its first bytes, never by its name or a server's claim.
 * @param head The first 12 bytes as Latin-1, one character per byte.
 * @returns Null for any format that is not accepted.
 */
export function mediaFormatOf(
  head: string,
): (typeof mediaFormats)[keyof typeof mediaFormats] | null {
  if (head.startsWith('\xff\xd8\xff')) return mediaFormats.jpeg;
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return mediaFormats.png;
  if (head.startsWith('RIFF')) {
    const form = head.slice(8, mediaHeadBytes);
    return form === 'WEBP' ? mediaFormats.webp : form === 'WAVE' ? mediaFormats.wav : null;
  }
  if (head.slice(4, 8) === 'ftyp') {
    const brand = head.slice(8, mediaHeadBytes);
    if (pictureBrands.includes(brand)) return null;
    if (brand === 'qt  ') return mediaFormats.mov;
    return brand.startsWith('M4A') ? mediaFormats.m4a : mediaFormats.mp4;
  }
  if (head.startsWith('\x1aE\xdf\xa3')) return mediaFormats.webm;
  if (head.startsWith('ID3')) return mediaFormats.mp3;
  return soundFrames(head);
}

/** MPEG audio frames begin with eleven set bits, then version and layer: layer 0 is AAC in ADTS. */
function soundFrames(head: string) {
  const second = head.charCodeAt(1);
  if (head.charCodeAt(0) !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return mediaFormats.aac;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return (second & 0xe0) === 0xe0 && version !== 1 && layer === 1 ? mediaFormats.mp3 : null;
}

/* Generated from the gateway's contract by "npm run generate": do not edit. */

export interface VideoInputBody {
  /** Type of the file at the URL. */
  type: 'image' | 'video' | 'audio';

  /** Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations. */
  url: string;

  /** How the input is used. image-to-video takes one first_frame (the default there) and optionally one last_frame; multimodal-to-video takes reference (the default there) only. */
  role?: 'first_frame' | 'last_frame' | 'reference';
}

export interface VideoParametersBody {
  /** Length of the video in seconds; GET /models lists each model's limits. */
  duration_seconds?: number;

  /** Default 720p. Each model offers some of these. */
  resolution?: '480p' | '720p' | '1080p' | '1440p' | '2160p';

  /** Default 16:9. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9';

  /** Default false. Sound costs more, by the factor under pricing.audio in GET /models. */
  generate_audio?: boolean;

  /** Chosen by the server if omitted; always returned. */
  seed?: number;

  /** Default false. For inputs that show a real person; requires compliance, and a model and mode listed under real_person_modes. */
  real_person_mode?: boolean;

  /** Description of content to avoid, private like the prompt. Only for models with negative_prompt in GET /models. */
  negative_prompt?: string;

  /** How closely the result follows the prompt, in steps of 0.1; the model's own default if omitted. Only for models with guidance in GET /models. */
  guidance?: number;
}

export interface ComplianceBody {
  /** Must be true: you hold the rights to the likeness. */
  rights_confirmed?: boolean;

  /** Your own reference for the consent. */
  consent_reference?: string;
}

export interface CreateVideoBody {
  /** A video model from GET /models. */
  model: string;

  /** Each model offers some of these. */
  mode: 'text-to-video' | 'image-to-video' | 'multimodal-to-video';

  /** Description of the scene. Its length is counted in characters after trimming; GET /models lists each model's limit. */
  prompt: string;

  /** None for text-to-video; one or two images for image-to-video; images, videos and audio files, with at least one image or video, for multimodal-to-video. */
  inputs?: VideoInputBody[];

  /** Omitted parameters use the model's defaults. */
  parameters?: VideoParametersBody;

  /** Required with parameters.real_person_mode: true; not allowed otherwise. */
  compliance?: ComplianceBody;
}

export interface ImageInputBody {
  type: 'image';

  /** Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations. */
  url: string;

  /** Default reference. */
  role?: 'reference';
}

export interface ImageParametersBody {
  /** Number of images. Default 1. */
  n?: number;

  /** Default 1:1. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | '3:2' | '2:3';

  /** Default 1k. Each model offers some of these. */
  resolution?: '1k' | '2k' | '4k';

  /** Default png. */
  output_format?: 'png' | 'jpeg' | 'webp';

  /** Chosen by the server if omitted; always returned. */
  seed?: number;

  /** Description of content to avoid, private like the prompt. Only for models with negative_prompt in GET /models. */
  negative_prompt?: string;

  /** How closely the result follows the prompt, in steps of 0.1; the model's own default if omitted. Only for models with guidance in GET /models. */
  guidance?: number;
}

export interface CreateImageBody {
  /** An image model from GET /models. */
  model: string;

  /** Description of the image. Its length is counted in characters after trimming; GET /models lists each model's limit. */
  prompt: string;

  /** Reference images, up to the model's maximum. */
  inputs?: ImageInputBody[];

  /** Omitted parameters use the model's defaults. */
  parameters?: ImageParametersBody;
}

export interface VideoParameters {
  duration_seconds: number;
  resolution: '480p' | '720p' | '1080p' | '1440p' | '2160p';
  aspect_ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9';
  generate_audio: boolean;
  seed: number;
  real_person_mode: boolean;
  guidance?: number;
}

export interface ImageParameters {
  n: number;
  aspect_ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | '3:2' | '2:3';
  resolution: '1k' | '2k' | '4k';
  output_format: 'png' | 'jpeg' | 'webp';
  seed: number;
  guidance?: number;
}

export interface Billing {
  unit: 'credits';

  /** Credits charged for this generation; 0 if support delivered it without a charge. */
  cost_credits: number;
  policy: 'same_as_pc';
  status: 'charged' | 'refunded';

  /** Only when refunded: the credits refunded. */
  refunded_credits?: number;
}

export interface Output {
  /** All files; empty once they are deleted. */
  urls: string[];

  /** Only for a video, while its file is kept. */
  video_url?: string;

  /** Only for images. */
  image_urls?: string[];

  /** When these URLs expire. Read the generation again to get new ones. */
  expires_at: string;

  /** When the files were deleted. */
  deleted_at?: string;
}

export interface GenerationError {
  /** One of invalid_request_error, authentication_error, billing_error, permission_error, not_found_error, idempotency_error, rate_limit_error, content_policy_error, api_error; more may be added. */
  type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'billing_error'
    | 'permission_error'
    | 'not_found_error'
    | 'idempotency_error'
    | 'rate_limit_error'
    | 'content_policy_error'
    | 'api_error';

  /** One of input_unreachable, input_invalid, input_rejected, output_rejected, real_person_rejected, capacity_exceeded, generation_timeout, generation_failed, internal_error; more may be added. */
  code:
    | 'input_unreachable'
    | 'input_invalid'
    | 'input_rejected'
    | 'output_rejected'
    | 'real_person_rejected'
    | 'capacity_exceeded'
    | 'generation_timeout'
    | 'generation_failed'
    | 'internal_error';
  message: string;

  /** The input at fault, such as inputs[1].url. */
  param: string | null;

  /** Whether a new create request may succeed. */
  retryable: boolean;
}

export interface GenerationRecord {
  id: string;
  object: 'generation';
  type: 'video' | 'image';
  model: string;

  /** queued, then processing, then completed or failed; a queued generation may fail directly. completed and failed are final. */
  status: 'queued' | 'processing' | 'completed' | 'failed';

  /** URL to poll. */
  status_url: string;

  /** Seconds to wait before the next poll; only while queued or processing, also sent as Retry-After. */
  retry_after_seconds?: number;
  created_at: string;

  /** When it ended; only when completed or failed. */
  completed_at?: string;

  /** The effective values, including defaults and the seed. */
  parameters: VideoParameters | ImageParameters;
  billing: Billing;

  /** Only when completed. */
  output?: Output;

  /** Only when failed. */
  error?: GenerationError;
}

export interface Capabilities {
  /** Videos only; [] for images. */
  modes: ('text-to-video' | 'image-to-video' | 'multimodal-to-video')[];

  /** Videos only; null for images. */
  duration_seconds: { min: number; max: number; default: number } | null;
  resolutions: string[];
  aspect_ratios: string[];
  generate_audio: boolean;

  /** Modes that allow real_person_mode. */
  real_person_modes: ('text-to-video' | 'image-to-video' | 'multimodal-to-video')[];

  /** Characters after trimming. */
  max_prompt_length: number;
  inputs: {
    image: {
      max_count: number;

      /** Per file. */
      max_bytes: number;

      /** Width times height. */
      max_pixels: number;
    };
    video: {
      max_count: number;

      /** Per file. */
      max_bytes: number;

      /** In total for all files of this type. */
      max_seconds: number;
    };
    audio: {
      max_count: number;

      /** Per file. */
      max_bytes: number;

      /** In total for all files of this type. */
      max_seconds: number;
    };
  };

  /** Images only; null for videos. */
  n: { min: number; max: number } | null;

  /** Images only; [] for videos. */
  output_formats: ('png' | 'jpeg' | 'webp')[];

  /** Limits of parameters.negative_prompt; null if the model does not support it. */
  negative_prompt: {
    /** Characters after trimming. */
    max_length: number;
  } | null;

  /** Limits of parameters.guidance; null if the model does not support it. */
  guidance: { min: number; max: number } | null;
}

export interface VideoPricing {
  unit: 'credits';
  per: 'second';

  /** Credits per unit by resolution, without sound. */
  credits: Record<string, number>;

  /** With generate_audio, the total is multiplied by this fraction. */
  audio: { numerator: number; denominator: number };

  /** The result is rounded up to a whole number. */
  rounding: 'up';
  examples: {
    parameters: { duration_seconds: number; resolution: string; generate_audio: boolean };
    cost_credits: number;
  }[];
}

export interface ImagePricing {
  unit: 'credits';
  per: 'image';

  /** Credits per unit by resolution, without sound. */
  credits: Record<string, number>;
  rounding: 'up';
  examples: { parameters: { n: number; resolution: string }; cost_credits: number }[];
}

export interface ModelEntry {
  id: string;
  object: 'model';
  type: 'video' | 'image';
  display_name: string;
  capabilities: Capabilities;

  /** Cost of a video: credits[resolution] x duration_seconds, with sound x audio.numerator / audio.denominator, rounded up. Cost of images: credits[resolution] x n. */
  pricing: VideoPricing | ImagePricing;

  /** An announced price change; null if there is none. */
  next_pricing: {
    /** Requests accepted from then on are charged the new price. */
    starts_at: string;
    pricing: VideoPricing | ImagePricing;
  } | null;

  /** Usual duration of a generation. */
  typical_seconds: number;

  /** Seconds after which a generation fails and is refunded. */
  max_seconds: number;
  deprecated_at: string | null;

  /** When the model stops being available. */
  sunset_at: string | null;
}

export interface ModelList {
  object: 'list';
  data: ModelEntry[];
}

export interface CreditBalance {
  object: 'credit_balance';
  unit: 'credits';

  /** Credits that can be spent now. */
  available: number;

  /** Charges of unfinished generations; already deducted from available. */
  in_flight: number;
  as_of: string;
}

export interface ErrorDetail {
  /** The field at fault, such as inputs[1].url. */
  param: string;
  code: string;
  message: string;
}

export interface ErrorInfo {
  /** One of invalid_request_error, authentication_error, billing_error, permission_error, not_found_error, idempotency_error, rate_limit_error, content_policy_error, api_error; more may be added. */
  type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'billing_error'
    | 'permission_error'
    | 'not_found_error'
    | 'idempotency_error'
    | 'rate_limit_error'
    | 'content_policy_error'
    | 'api_error';

  /** One of invalid_json, invalid_request, idempotency_key_missing, idempotency_key_invalid, input_url_invalid, invalid_api_key, insufficient_credits, key_limit_reached, price_above_limit, account_suspended, input_host_not_approved, generation_not_found, model_not_found, not_found, method_not_allowed, body_too_large, unsupported_media_type, idempotency_key_reused, consent_required, real_person_not_allowed, content_policy_violation, rate_limited, concurrency_limited, internal_error, model_unavailable, service_unavailable, clock_wrong; more may be added. */
  code:
    | 'invalid_json'
    | 'invalid_request'
    | 'idempotency_key_missing'
    | 'idempotency_key_invalid'
    | 'input_url_invalid'
    | 'invalid_api_key'
    | 'insufficient_credits'
    | 'key_limit_reached'
    | 'price_above_limit'
    | 'account_suspended'
    | 'input_host_not_approved'
    | 'generation_not_found'
    | 'model_not_found'
    | 'not_found'
    | 'method_not_allowed'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'idempotency_key_reused'
    | 'consent_required'
    | 'real_person_not_allowed'
    | 'content_policy_violation'
    | 'rate_limited'
    | 'concurrency_limited'
    | 'internal_error'
    | 'model_unavailable'
    | 'service_unavailable'
    | 'clock_wrong';

  /** For people to read. Programs should check code instead. */
  message: string;

  /** The first field at fault, if there is one. */
  param: string | null;

  /** Include it when you contact support; also sent as X-Request-Id. */
  request_id: string;

  /** Whether the same request may succeed later. */
  retryable: boolean;

  /** Every problem with the request. */
  details: ErrorDetail[];

  /** Only with insufficient_credits. */
  credits?: { required: number; available: number };
}

export interface ErrorBody {
  error: ErrorInfo;
}

interface ParameterRow {
  /** Field of a model's `capabilities` with its own bounds or choices; null if they are the same for all models. */
  capability: keyof Capabilities | null;
  /** Unit in messages, such as `seconds`. */
  unit: string | null;
  /** Name of its field in forms. */
  label: string;
  /** Shorter name on pages; by default the label in sentence case. */
  short?: string;
  /** Description in the API's documents. */
  help: string;
  /** Description for readers who see a field instead of a request; for a flag, it begins with "Whether". */
  hint: string;
  /** Option of the command line, without its dashes; null if another option implies it. */
  option: { name: string; letter?: string; argument?: string; hint?: string } | null;
  /**
   * The version that introduced it; null if 0.1.0 did. Records of generations made before that version lack it, so it
   * is optional in responses.
   */
  since: string | null;
  /** Set if it also has its own rules and forms, in addition to those derived from this table. */
  apart?: boolean;
}

/** A whole number. */
export interface IntegerRow extends ParameterRow {
  kind: 'integer';
  /** Bounds across all models. */
  range: Readonly<{ min: number; max: number }>;
  /** Default for models without their own; null if the server chooses one. */
  default: number | null;
  /**
   * Name in a route's `does`, and the values made by providers that declare nothing (null for all values). The
   * entry is null if every provider delivers the parameter, or it promises nothing.
   */
  support: { name: string; undeclared: readonly number[] | null } | null;
}

/** One of several words. */
export interface ChoiceRow extends ParameterRow {
  kind: 'choice';
  values: readonly string[];
  default: string;
  support: { name: string; undeclared: readonly string[] | null } | null;
}

/** True or false. */
export interface FlagRow extends ParameterRow {
  kind: 'flag';
  default: false;
  /** Behaviour of a model without it, such as `makes no sound`; null if every model has it. */
  without: string | null;
  /** `mayForce`: some providers always do it, which they declare as `always`. */
  support: { name: string; undeclared: boolean; mayForce?: boolean } | null;
}

/** A number with decimals. Only models with bounds of their own in their capabilities take it. */
export interface FractionRow extends ParameterRow {
  kind: 'fraction';
  /** Bounds across all models. */
  range: Readonly<{ min: number; max: number; step: number }>;
  /** Null if it is left out unless it is asked for. */
  default: number | null;
  support: { name: string; undeclared: readonly number[] | null };
}

/**
 * Words of the customer, private like the prompt: responses lack them, and they are removed with it. Only models with a
 * bound of their own in their capabilities take them.
 */
export interface TextRow extends ParameterRow {
  kind: 'text';
  /** Maximum characters after trimming, across all models. */
  maxLength: number;
  /** Whether line breaks may appear. */
  hasLines: boolean;
  default: null;
  support: { name: string; undeclared: boolean };
}

/** One request parameter. */
export type Parameter = IntegerRow | FractionRow | ChoiceRow | FlagRow | TextRow;

/** The rows of a kind. */
export type RowOf<K extends Parameter['kind']> = Extract<Parameter, { kind: K }>;

/** Parameters by name. */
export type ParameterTable = Readonly<Record<string, Parameter>>;

/*
 * The one table of request parameters. docs/changing.md lists everything derived from it and explains how to add a row.
 */

const seed = {
  kind: 'integer',
  range: seedRange,
  capability: null,
  default: null,
  unit: null,
  label: 'Seed',
  help: 'Chosen by the server if omitted; always returned.',
  hint: 'Whole number that makes a result repeatable. If omitted, a new one is chosen.',
  option: { name: 'seed', argument: 'number' },
  // Some providers have no seed, so it is best effort.
  support: null,
  since: null,
} as const satisfies Parameter;

const negativePrompt = {
  kind: 'text',
  maxLength: 2500,
  hasLines: true,
  capability: 'negative_prompt',
  default: null,
  unit: null,
  label: 'Negative Prompt',
  help: 'Description of content to avoid, private like the prompt. Only for models with negative_prompt in GET /models.',
  hint: 'Content to keep out of the result. Not every model supports it.',
  option: { name: 'negative-prompt', argument: 'text' },
  support: { name: 'negativePrompt', undeclared: false },
  since: null,
} as const satisfies Parameter;

const guidance = {
  kind: 'fraction',
  range: { min: 0, max: 100, step: 0.1 },
  capability: 'guidance',
  default: null,
  unit: null,
  label: 'Guidance',
  help: "How closely the result follows the prompt, in steps of 0.1; the model's own default if omitted. Only for models with guidance in GET /models.",
  hint: 'How closely the result follows the prompt; higher is closer. Not every model supports it.',
  option: { name: 'guidance', argument: 'number' },
  support: { name: 'guidance', undeclared: [] },
  since: null,
} as const satisfies Parameter;

const resolution = {
  kind: 'choice',
  capability: 'resolutions',
  unit: null,
  label: 'Resolution',
  hint: 'Size of the result. Larger sizes cost more credits.',
  option: { name: 'resolution', argument: 'size', hint: 'such as 720p or 2k' },
  support: { name: 'resolutions', undeclared: null },
  since: null,
} as const;

const aspectRatio = {
  kind: 'choice',
  capability: 'aspect_ratios',
  unit: null,
  label: 'Aspect Ratio',
  hint: "Ratio of the result's width to its height.",
  option: { name: 'aspect-ratio', argument: 'ratio', hint: 'such as 16:9' },
  support: { name: 'aspectRatios', undeclared: null },
  since: null,
} as const;

/**
 * Parameters of POST /videos, in the order of the API's documents. All but texts are echoed in `parameters` of the
 * record, in this order, with the effective values.
 */
export const videoParameters = {
  duration_seconds: {
    kind: 'integer',
    range: { min: 1, max: 30 },
    capability: 'duration_seconds',
    default: 5,
    unit: 'seconds',
    label: 'Duration in Seconds',
    short: 'Seconds',
    help: "Length of the video in seconds; GET /models lists each model's limits.",
    hint: 'Length of the video in whole seconds. The model list shows the lengths of each model.',
    option: { name: 'duration', argument: 'seconds' },
    support: { name: 'seconds', undeclared: null },
    since: null,
  },
  resolution: {
    ...resolution,
    values: videoResolutions,
    default: '720p',
    help: 'Default 720p. Each model offers some of these.',
  },
  aspect_ratio: {
    ...aspectRatio,
    values: videoAspectRatios,
    default: '16:9',
    help: 'Default 16:9.',
  },
  generate_audio: {
    kind: 'flag',
    capability: 'generate_audio',
    default: false,
    without: 'makes no sound',
    unit: null,
    label: 'Generate Audio',
    short: 'Sound',
    help: 'Default false. Sound costs more, by the factor under pricing.audio in GET /models.',
    hint: 'Whether to generate sound for the video, which costs more credits',
    option: { name: 'sound' },
    support: { name: 'audio', undeclared: false, mayForce: true },
    since: null,
  },
  seed,
  real_person_mode: {
    kind: 'flag',
    capability: 'real_person_modes',
    default: false,
    without: null,
    unit: null,
    label: 'Real-Person Mode',
    help: 'Default false. For inputs that show a real person; requires compliance, and a model and mode listed under real_person_modes.',
    hint: "Whether an input shows a real person's likeness. Not needed for fictional people. Not every model supports it.",
    option: null,
    // Sent through the operator's own options of a route.
    support: { name: 'realPerson', undeclared: true },
    since: null,
    apart: true,
  },
  negative_prompt: negativePrompt,
  guidance,
} as const satisfies ParameterTable;

/** Parameters of POST /images; same order and echo as for videos. */
export const imageParameters = {
  n: {
    kind: 'integer',
    range: { min: 1, max: 4 },
    capability: 'n',
    default: 1,
    unit: 'images',
    label: 'Number of Images',
    short: 'Images',
    help: 'Number of images. Default 1.',
    hint: 'How many images to create from the prompt; each is charged',
    option: { name: 'number', letter: 'n', argument: 'count' },
    // A provider that makes fewer per call is called several times.
    support: null,
    since: null,
  },
  aspect_ratio: {
    ...aspectRatio,
    values: imageAspectRatios,
    default: '1:1',
    help: 'Default 1:1.',
  },
  resolution: {
    ...resolution,
    values: imageResolutions,
    default: '1k',
    help: 'Default 1k. Each model offers some of these.',
  },
  output_format: {
    kind: 'choice',
    values: imageFormats,
    capability: 'output_formats',
    default: 'png',
    unit: null,
    label: 'File Format',
    short: 'Format',
    help: 'Default png.',
    hint: 'File type of the images.',
    option: { name: 'format', argument: 'png|jpeg|webp' },
    // Images are converted when stored.
    support: null,
    since: null,
  },
  seed,
  negative_prompt: negativePrompt,
  guidance,
} as const satisfies ParameterTable;

/** The parameters of each type. */
export const parameterTables: Readonly<Record<'video' | 'image', ParameterTable>> = {
  video: videoParameters,
  image: imageParameters,
};

type AnyRow =
  | (typeof videoParameters)[keyof typeof videoParameters]
  | (typeof imageParameters)[keyof typeof imageParameters];

/** The fractions and texts. */
export type ExtraRow = Extract<AnyRow, { kind: 'fraction' | 'text' }>;

/** Bounds of the fractions and texts that a model takes, by their field in its capabilities. */
export type Extras = Readonly<Partial<Pick<Capabilities, ExtraRow['capability']>>>;

/** A function for the rows of each kind. */
export type ByKind<Rest extends unknown[], Result> = {
  readonly [K in Parameter['kind']]: (row: RowOf<K>, ...rest: Rest) => Result;
};

/** Calls the function of a row's kind. */
export function byKind<Rest extends unknown[], Result>(
  kinds: ByKind<Rest, Result>,
  row: Parameter,
  ...rest: Rest
): Result {
  return (kinds[row.kind] as (row: Parameter, ...rest: Rest) => Result)(row, ...rest);
}

/**
 * The default values in the order of the table; undefined if the server chooses one. A fraction or text without a
 * default is left out.
 */
export function usualValues(
  table: ParameterTable,
): Record<string, number | string | boolean | undefined> {
  const used = Object.entries(table).filter(
    ([, row]) => row.default !== null || row.kind === 'integer',
  );
  return Object.fromEntries(used.map(([name, row]) => [name, row.default ?? undefined]));
}

/** The first ones in forms and messages, in this order; the others follow in the order of the table. */
const first = ['duration_seconds', 'n', 'resolution', 'aspect_ratio'];

/** Names and rows in the order of forms. */
export function inFormOrder(table: ParameterTable): [string, Parameter][] {
  const rest = Object.keys(table).filter((name) => !first.includes(name));
  return [...first, ...rest].flatMap((name) => {
    const row = table[name];
    return row === undefined ? [] : [[name, row]];
  });
}

/** Name on pages, in sentence case. */
export function pageLabel({ label, short }: Parameter): string {
  return short ?? label.charAt(0) + label.slice(1).toLowerCase();
}

/** Capabilities of one model, or of several together. */
type OfferedCapabilities = Readonly<Partial<Record<keyof Capabilities, unknown>>>;

/** A model's bounds for a number; null if it does not take the parameter. */
export function rangeOf(
  row: IntegerRow | FractionRow,
  offered: OfferedCapabilities,
): { min: number; max: number; default?: number } | null {
  if (row.capability === null) return row.range;
  return (offered[row.capability] ?? null) as IntegerRow['range'] | null;
}

/** Characters that a model takes of a text; null if it does not take the parameter. */
export function maxLengthOf(row: TextRow, offered: OfferedCapabilities): number | null {
  if (row.capability === null) return row.maxLength;
  const bounds = (offered[row.capability] ?? null) as { max_length: number } | null;
  return bounds && bounds.max_length;
}

/** Values that a model offers. */
export function choicesOf(row: ChoiceRow, offered: OfferedCapabilities): readonly string[] {
  return row.capability === null ? row.values : (offered[row.capability] as readonly string[]);
}

/** Whether a model supports a flag in at least one mode. */
export function hasFlag(row: FlagRow, offered: OfferedCapabilities): boolean {
  const own = row.capability === null ? true : offered[row.capability];
  return Array.isArray(own) ? own.length > 0 : own === true;
}

/** A fraction or text whose bounds each model has: its name, and its field in the capabilities. */
export type Extra = (FractionRow | TextRow) & { name: string; capability: keyof Extras };

/** The fractions and texts of a type. */
export function extrasOf(type: keyof typeof parameterTables): readonly Extra[] {
  return Object.entries(parameterTables[type]).flatMap(([name, row]) =>
    row.kind === 'fraction' || row.kind === 'text' ? [{ ...row, name } as Extra] : [],
  );
}

/** The extras of both types, without duplicates. */
export const allExtras: readonly Extra[] = [
  ...new Map(
    [...extrasOf('video'), ...extrasOf('image')].map((each) => [each.capability, each]),
  ).values(),
];

/** Pricing without its examples: sufficient for computing a price. */
export type PricingRule = Omit<VideoPricing, 'examples'> | Omit<ImagePricing, 'examples'>;

/** Parameters that determine the price. */
export interface PricedParameters {
  resolution: string;
  duration_seconds?: number;
  generate_audio?: boolean;
  n?: number;
}

/**
 * Computes the price of one generation in credits, from the pricing on the wire and the effective parameters.
 * Uses integers only and rounds the total up once. This is the only price function.
 * @throws RangeError if the resolution has no price or a number is not a positive integer.
 */
export function priceCredits(pricing: PricingRule, parameters: PricedParameters): number {
  const { resolution } = parameters;
  const credits = Object.hasOwn(pricing.credits, resolution)
    ? pricing.credits[resolution]
    : undefined;
  if (credits === undefined) throw new RangeError(`no price for resolution ${resolution}`);
  const units = pricing.per === 'second' ? parameters.duration_seconds : parameters.n;
  if (units === undefined) throw new RangeError(`priced per ${pricing.per}, but none is given`);
  const base = product(credits, units);
  if (pricing.per !== 'second' || parameters.generate_audio !== true) return base;
  const { numerator, denominator } = pricing.audio;
  return dividedUp(product(base, numerator), denominator);
}

/** Exact product of two positive integers. @throws RangeError if it is not exact. */
function product(a: number, b: number): number {
  const result = a * b;
  if (!isPositive(a) || !isPositive(b) || !Number.isSafeInteger(result)) {
    throw new RangeError(`not a price: ${a} times ${b}`);
  }
  return result;
}

/** Quotient rounded up; exact, because the remainder is subtracted first. */
function dividedUp(dividend: number, divisor: number): number {
  if (!isPositive(divisor)) throw new RangeError(`not a divisor: ${divisor}`);
  const rest = dividend % divisor;
  return rest === 0 ? dividend / divisor : (dividend - rest) / divisor + 1;
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** Maximum price of one second or image, in credits; keeps all products within safe integers. */
export const maxPriceCredits = 1_000_000;

/** The price of a model. */
export type Pricing = ModelEntry['pricing'];

/** `pricing` object of GET /models, from which clients compute exact costs. */
export function pricingOf(model: Model): Pricing {
  return model.type === 'video' ? videoPricing(model) : imagePricing(model);
}

function videoPricing(model: VideoModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'second',
    credits: pricesOf(model.resolutions, model.creditsPerSecond),
    audio: { ...model.audioFactor },
    rounding: 'up',
  } as const;
  const usual = {
    duration_seconds: model.duration.default,
    resolution: model.defaults.resolution,
    generate_audio: model.defaults.generateAudio,
  };
  const max = {
    duration_seconds: model.duration.max,
    resolution: model.resolutions.at(-1) ?? usual.resolution,
    generate_audio: model.generateAudio,
  };
  return { ...rule, examples: examples(rule, [usual, max]) };
}

function imagePricing(model: ImageModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'image',
    credits: pricesOf(model.resolutions, model.creditsPerImage),
    rounding: 'up',
  } as const;
  const usual = { n: model.defaults.n, resolution: model.defaults.resolution };
  const max = { n: model.n.max, resolution: model.resolutions.at(-1) ?? usual.resolution };
  return { ...rule, examples: examples(rule, [usual, max]) };
}

/** Prices of the offered resolutions, from smallest to largest. */
function pricesOf<R extends string>(
  resolutions: readonly R[],
  prices: Readonly<Partial<Record<R, number>>>,
): Record<string, number> {
  return Object.fromEntries(
    resolutions.flatMap((resolution) => {
      const credits = prices[resolution];
      return credits === undefined ? [] : [[resolution, credits]];
    }),
  );
}

function examples<P extends PricedParameters>(rule: PricingRule, cases: readonly P[]) {
  return cases.map((parameters) => ({ parameters, cost_credits: priceCredits(rule, parameters) }));
}

/** Inputs of a model by number of files; limits per file are the same for all models. */
function inputs(image: number, video: number, audio: number): InputLimits {
  return {
    image: { maxCount: image, maxBytes: 20_000_000, maxPixels: 40_000_000 },
    video: { maxCount: video, maxBytes: 50_000_000, maxSeconds: 15 },
    audio: { maxCount: audio, maxBytes: 15_000_000, maxSeconds: 15 },
  };
}

/** Image-to-video without references: a first and a last frame only. */
const framesOnly = inputs(2, 0, 0);
const framesOnlyModes = ['text-to-video', 'image-to-video'] as const;

const everyVideoModel = {
  type: 'video',
  aspectRatios: videoAspectRatios,
  realPersonModes: [],
  audioFactor: { numerator: 5, denominator: 4 },
  defaults: { resolution: '720p', aspectRatio: '16:9', generateAudio: false },
  maxSeconds: 3600,
  deprecatedAt: null,
  sunsetAt: null,
} as const;

const alpha20 = {
  ...everyVideoModel,
  modes: videoModes,
  realPersonModes: ['image-to-video', 'multimodal-to-video'],
  maxPromptLength: 3500,
} as const;

const everyImageModel = {
  type: 'image',
  aspectRatios: imageAspectRatios,
  outputFormats: imageFormats,
  n: { min: 1, max: 4 },
  defaults: { n: 1, resolution: '1k', aspectRatio: '1:1', outputFormat: 'png' },
  maxSeconds: 600,
  deprecatedAt: null,
  sunsetAt: null,
} as const;

const videoModels: readonly VideoModel[] = [
  {
    ...everyVideoModel,
    id: 'alpha-2.5',
    displayName: 'Alpha 2.5',
    modes: videoModes,
    duration: { min: 4, max: 15, default: 5 },
    resolutions: ['480p', '720p', '1080p'],
    generateAudio: true,
    maxPromptLength: 5000,
    inputs: inputs(9, 3, 3),
    creditsPerSecond: { '480p': 8, '720p': 16, '1080p': 36 },
    typicalSeconds: 120,
  },
  {
    ...everyVideoModel,
    id: 'alpha-2.5-lite',
    displayName: 'Alpha 2.5 Lite',
    modes: framesOnlyModes,
    duration: { min: 4, max: 12, default: 5 },
    resolutions: ['480p', '720p'],
    generateAudio: true,
    maxPromptLength: 2500,
    inputs: framesOnly,
    creditsPerSecond: { '480p': 4, '720p': 8 },
    typicalSeconds: 60,
  },
  {
    ...alpha20,
    id: 'alpha-2.0-pro',
    displayName: 'Alpha 2.0 Pro',
    duration: { min: 4, max: 15, default: 5 },
    resolutions: ['480p', '720p', '1080p'],
    generateAudio: true,
    inputs: inputs(9, 3, 3),
    creditsPerSecond: { '480p': 7, '720p': 14, '1080p': 32 },
    typicalSeconds: 120,
  },
  {
    ...alpha20,
    id: 'alpha-2.0-fast',
    displayName: 'Alpha 2.0 Fast',
    duration: { min: 4, max: 15, default: 5 },
    resolutions: ['480p', '720p'],
    generateAudio: true,
    inputs: inputs(9, 3, 3),
    creditsPerSecond: { '480p': 5, '720p': 10 },
    typicalSeconds: 60,
  },
  {
    ...alpha20,
    id: 'alpha-2.0-mini',
    displayName: 'Alpha 2.0 Mini',
    duration: { min: 4, max: 10, default: 5 },
    resolutions: ['480p', '720p'],
    generateAudio: false,
    inputs: inputs(4, 1, 1),
    creditsPerSecond: { '480p': 3, '720p': 6 },
    typicalSeconds: 45,
  },
  {
    ...everyVideoModel,
    id: 'beta-3.0',
    displayName: 'Beta 3.0',
    modes: framesOnlyModes,
    duration: { min: 3, max: 15, default: 5 },
    resolutions: ['720p', '1080p', '2160p'],
    generateAudio: true,
    maxPromptLength: 2500,
    inputs: framesOnly,
    creditsPerSecond: { '720p': 15, '1080p': 25, '2160p': 60 },
    typicalSeconds: 150,
  },
];

const imageModels: readonly ImageModel[] = [
  {
    ...everyImageModel,
    id: 'image-a-2',
    displayName: 'Image A 2',
    resolutions: ['1k', '2k'],
    maxPromptLength: 2500,
    inputs: inputs(4, 0, 0),
    creditsPerImage: { '1k': 8, '2k': 16 },
    typicalSeconds: 20,
  },
  {
    ...everyImageModel,
    id: 'image-b-2',
    displayName: 'Image B 2',
    resolutions: ['1k', '2k', '4k'],
    maxPromptLength: 5000,
    inputs: inputs(9, 0, 0),
    creditsPerImage: { '1k': 6, '2k': 9, '4k': 18 },
    typicalSeconds: 15,
  },
  {
    ...everyImageModel,
    id: 'image-b-pro',
    displayName: 'Image B Pro',
    resolutions: ['1k', '2k', '4k'],
    maxPromptLength: 5000,
    inputs: inputs(9, 0, 0),
    creditsPerImage: { '1k': 12, '2k': 18, '4k': 36 },
    typicalSeconds: 25,
  },
];

/**
 * The built-in models in the order of GET /models; the operator may change them (MODELS_FILE). Ids are
 * neutral: the operator's routes file determines the provider.
 */
export const catalogue: readonly Model[] = [...videoModels, ...imageModels];

/** Finds a built-in model by id. */
export function findModel(id: string): Model | undefined {
  return catalogue.find((model) => model.id === id);
}
