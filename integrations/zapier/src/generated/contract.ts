/* Generated from the gateway's contract by "npm run generate": do not edit. */

/** The ways to make a video. */
export const videoModes = ['text-to-video', 'image-to-video', 'multimodal-to-video'] as const;
export type VideoMode = (typeof videoModes)[number];

export const videoResolutions = ['480p', '720p', '1080p', '2160p'] as const;
export type VideoResolution = (typeof videoResolutions)[number];

export const videoAspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const;
export type VideoAspectRatio = (typeof videoAspectRatios)[number];

export const imageResolutions = ['1k', '2k', '4k'] as const;
export type ImageResolution = (typeof imageResolutions)[number];

export const imageAspectRatios = [...videoAspectRatios, '3:2', '2:3'] as const;
export type ImageAspectRatio = (typeof imageAspectRatios)[number];

export const imageFormats = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export const inputTypes = ['image', 'video', 'audio'] as const;
export type InputType = (typeof inputTypes)[number];

export const inputRoles = ['first_frame', 'last_frame', 'reference'] as const;
export type InputRole = (typeof inputRoles)[number];

/** The seeds a caller may choose; 0 is left out because not every provider tells it from "none". */
export const seedRange = { min: 1, max: 2_147_483_647 } as const;

/** Images taken as inputs: how many, and the caps of each file. */
export interface ImageInputLimits {
  maxCount: number;
  /** Bytes of one file. */
  maxBytes: number;
  /** Width times height of one image. */
  maxPixels: number;
}

/** Videos or audios taken as inputs: how many, and their caps. */
export interface TimedInputLimits {
  maxCount: number;
  /** Bytes of one file. */
  maxBytes: number;
  /** Seconds of all files of this type together. */
  maxSeconds: number;
}

/** What a model takes as inputs; a `maxCount` of 0 means none of that type. */
export interface InputLimits {
  image: Readonly<ImageInputLimits>;
  video: Readonly<TimedInputLimits>;
  audio: Readonly<TimedInputLimits>;
}

interface ModelBase {
  id: string;
  displayName: string;
  /** Code points of the prompt after trimming. */
  maxPromptLength: number;
  inputs: Readonly<InputLimits>;
  /** Seconds that a generation usually takes. */
  typicalSeconds: number;
  /** Seconds that a generation may run before it fails and is refunded. */
  maxSeconds: number;
  /** UTC ISO-8601 day of the announcement, or null. */
  deprecatedAt: string | null;
  /** UTC ISO-8601 time from which the model is gone, or null. */
  sunsetAt: string | null;
}

/** A model that makes videos. */
export interface VideoModel extends ModelBase {
  type: 'video';
  modes: readonly VideoMode[];
  /** Whole seconds of the video. */
  duration: Readonly<{ min: number; max: number; default: number }>;
  resolutions: readonly VideoResolution[];
  aspectRatios: readonly VideoAspectRatio[];
  /** Whether the model can make sound. */
  generateAudio: boolean;
  /** Modes in which real-person mode may be asked for; none for most models. */
  realPersonModes: readonly VideoMode[];
  /** Credits per second of video without sound. */
  creditsPerSecond: Readonly<Partial<Record<VideoResolution, number>>>;
  defaults: Readonly<{
    resolution: VideoResolution;
    aspectRatio: VideoAspectRatio;
    generateAudio: boolean;
  }>;
}

/** A model that makes images. */
export interface ImageModel extends ModelBase {
  type: 'image';
  resolutions: readonly ImageResolution[];
  aspectRatios: readonly ImageAspectRatio[];
  outputFormats: readonly ImageFormat[];
  /** Images of one generation. */
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

export type Model = VideoModel | ImageModel;

/** The states of a generation. */
export const statuses = ['queued', 'processing', 'completed', 'failed'] as const;
export type Status = (typeof statuses)[number];

/** Legal moves: everything that is not listed never happens; final states have none (invariant I5). */
export const moves = {
  queued: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
} as const satisfies Record<Status, readonly Status[]>;

/** Whether a generation in this state has ended for good. */
export function isFinal(status: Status): boolean {
  return moves[status].length === 0;
}

/** Whether a generation may go from one state to the other. */
export function canMove(from: Status, to: Status): boolean {
  const targets: readonly Status[] = moves[from];
  return targets.includes(to);
}

/**
 * Families of errors, for callers that branch coarsely:
 * `invalid_request_error` the request must be changed; `authentication_error` the key is not good;
 * `billing_error` credits or the key's limit do not suffice; `permission_error` not allowed for this
 * account or key; `not_found_error` no such thing for this key; `idempotency_error` the
 * Idempotency-Key is at fault; `rate_limit_error` too much at once; `content_policy_error` the content
 * or its consent is at fault; `api_error` our side.
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
export type ErrorType = (typeof errorTypes)[number];

interface ErrorEntry {
  /** HTTP status. */
  status: number;
  type: ErrorType;
  /** Whether the same request, unchanged, may succeed later. */
  retryable: boolean;
  /** What to do, in plain words; safe to show to any caller. */
  message: string;
}

/** Every code of a refused request. */
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
      'Send an Idempotency-Key header with every create: a new value for each generation you want, the same value when you repeat a request.',
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
      'An input URL is not acceptable. Use a public https URL with a host name, at most 2,048 characters long.',
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
    message: 'There are not enough credits for this generation. Add credits or ask for less.',
  },
  key_limit_reached: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'This API key has reached its daily credit limit. Raise the limit in your account settings or wait for the next day (UTC).',
  },
  price_above_limit: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'This generation costs more than the limit that came with the request. Nothing was charged: ask for less, or raise the limit.',
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
      'The host of an input URL is not approved for this API key. Ask for it in your account settings, or use an approved host.',
  },
  generation_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'No generation with this id exists in your account. Check the id.',
  },
  model_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message:
      'This model does not exist here or is not enabled for your key. GET /models lists those you can use.',
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
    message: 'This path does not take this method. The Allow header lists those it takes.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'The body is larger than 256 KiB. Pass media as URLs in inputs, never inside the body.',
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
      'This Idempotency-Key was already used with another body. Repeat the first body unchanged, or use a new key for a new generation.',
  },
  consent_required: {
    status: 422,
    type: 'content_policy_error',
    retryable: false,
    message:
      'Real-person mode needs compliance.rights_confirmed: true and compliance.consent_reference, your reference to the consent.',
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
    message: 'The request is against the content rules. Change the prompt or the inputs.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message: 'Too many requests. Wait for the seconds in Retry-After, then send it again.',
  },
  concurrency_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message:
      'Too many generations of this account are running and waiting. Wait until some have ended, then send it again.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retryable: true,
    message:
      'Something went wrong on our side. Send the same request again; a create with the same Idempotency-Key is never charged twice.',
  },
  model_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      'This model is not available for now. Nothing was charged. Try again later or use another model.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      'The service is not available for a moment. Wait for the seconds in Retry-After and send the same request again, a create with the same Idempotency-Key.',
  },
} as const satisfies Record<string, ErrorEntry>;
export type ErrorCode = keyof typeof errorCodes;

interface FailureEntry {
  type: ErrorType;
  /** Whether a new create of the same may succeed. */
  retryable: boolean;
  /** What to do, in plain words; safe to show to any caller. */
  message: string;
}

/** Every code of a failed generation; each one is refunded. */
export const failureCodes = {
  input_unreachable: {
    type: 'invalid_request_error',
    retryable: true,
    message:
      'An input could not be downloaded from its URL. Make sure that it answers 200 without redirects within 60 seconds, then create again.',
  },
  input_invalid: {
    type: 'invalid_request_error',
    retryable: false,
    message:
      'An input file has a wrong type, size or length for this model. Check it against the limits in GET /models.',
  },
  input_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message: 'The prompt or an input was refused by the safety check. Change it and create again.',
  },
  output_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message:
      'The result was withheld by the safety check. Change the prompt or the inputs and create again.',
  },
  real_person_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message:
      "An input seems to show a real person's face, which was refused. Use another input, or real-person mode where the model offers it.",
  },
  capacity_exceeded: {
    type: 'api_error',
    retryable: true,
    message: 'There was no room to start this generation in time. Create again later.',
  },
  generation_timeout: {
    type: 'api_error',
    retryable: true,
    message: 'The generation did not finish in time. Create again.',
  },
  generation_failed: {
    type: 'api_error',
    retryable: true,
    message: 'The generation failed. Create again; if it fails again, change the request.',
  },
  internal_error: {
    type: 'api_error',
    retryable: true,
    message: 'Something went wrong on our side. Create again.',
  },
} as const satisfies Record<string, FailureEntry>;
export type FailureCode = keyof typeof failureCodes;

/** Codes of the single problems in `details`. */
export const detailCodes = [
  /** The field is missing. */
  'required',
  /** There is no such field. */
  'unknown_field',
  /** The value has the wrong JSON type. */
  'invalid_type',
  /** The value is none of the allowed ones. */
  'invalid_value',
  'too_short',
  'too_long',
  'too_many',
  /** The number is too small or too large. */
  'out_of_range',
  /** The model does not offer this. */
  'not_supported',
  /** The field does not go together with another one. */
  'not_allowed',
] as const;
export type DetailCode = (typeof detailCodes)[number];

/* The answer of GET /models exactly as it is on the wire; the order of fields is the order sent. */

/** A worked example of a price. */
export interface PriceExample<P> {
  parameters: P;
  cost_credits: number;
}

/** Price of a video: credits of the resolution, times the seconds, times `audio` with sound, rounded up. */
export interface VideoPricing {
  unit: 'credits';
  per: 'second';
  credits: Record<string, number>;
  audio: { numerator: number; denominator: number };
  rounding: 'up';
  examples: PriceExample<{
    duration_seconds: number;
    resolution: VideoResolution;
    generate_audio: boolean;
  }>[];
}

/** Price of images: credits of the resolution, times `n`. */
export interface ImagePricing {
  unit: 'credits';
  per: 'image';
  credits: Record<string, number>;
  rounding: 'up';
  examples: PriceExample<{ n: number; resolution: ImageResolution }>[];
}

export type Pricing = VideoPricing | ImagePricing;

/** What a model takes; null, [] or false where a field does not apply to its type. */
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

/* Requests and answers exactly as they are on the wire; the order of fields is the order sent. */

/** An input of POST /videos. The URL is judged by the input URL rules, not by its type. */
export interface InputBody {
  type: InputType;
  url: string;
  role?: InputRole;
}

/** An input of POST /images. */
export interface ImageInputBody {
  type: 'image';
  url: string;
  role?: 'reference';
}

/** `parameters` of POST /videos; what is missing takes the model's default. */
export interface VideoParametersBody {
  duration_seconds?: number;
  resolution?: VideoResolution;
  aspect_ratio?: VideoAspectRatio;
  generate_audio?: boolean;
  seed?: number;
  real_person_mode?: boolean;
}

/** `parameters` of POST /images; what is missing takes the model's default. */
export interface ImageParametersBody {
  n?: number;
  aspect_ratio?: ImageAspectRatio;
  resolution?: ImageResolution;
  output_format?: ImageFormat;
  seed?: number;
}

/** The rights to a real person's likeness; only with real-person mode. */
export interface ComplianceBody {
  rights_confirmed?: boolean;
  consent_reference?: string;
}

/** Body of POST /videos. */
export interface CreateVideoBody {
  model: string;
  mode: VideoMode;
  prompt: string;
  inputs?: InputBody[];
  parameters?: VideoParametersBody;
  compliance?: ComplianceBody;
}

/** Body of POST /images. */
export interface CreateImageBody {
  model: string;
  prompt: string;
  inputs?: ImageInputBody[];
  parameters?: ImageParametersBody;
}

/** What a price is asked for with: of a video model, or of an image model. */
export interface EstimateCostBody {
  model: string;
  parameters?: VideoParametersBody | ImageParametersBody;
}

/** The values a video was made with: echoed, billed and sent. */
export interface VideoParameters {
  duration_seconds: number;
  resolution: VideoResolution;
  aspect_ratio: VideoAspectRatio;
  generate_audio: boolean;
  seed: number;
  real_person_mode: boolean;
}

/** The values images were made with: echoed, billed and sent. */
export interface ImageParameters {
  n: number;
  aspect_ratio: ImageAspectRatio;
  resolution: ImageResolution;
  output_format: ImageFormat;
  seed: number;
}

/** What a generation costs and whether the credits went back. */
export interface Billing {
  unit: 'credits';
  cost_credits: number;
  policy: 'same_as_pc';
  status: 'charged' | 'refunded';
  /** Only when refunded: always the whole cost. */
  refunded_credits?: number;
}

/** The finished files; empty once they are deleted. */
export interface Output {
  urls: string[];
  /** Videos only, and only while the file is kept. */
  video_url?: string;
  /** Images only. */
  image_urls?: string[];
  /** When these URLs stop working; reading the generation again gives new ones until the deletion. */
  expires_at: string;
  deleted_at?: string;
}

/** Why a generation failed. */
export interface GenerationError {
  type: ErrorType;
  code: FailureCode;
  message: string;
  /** The input at fault, such as `inputs[1].url`, or null. */
  param: string | null;
  /** Whether a new create may succeed. */
  retryable: boolean;
}

/** A generation, as create and poll answer it. */
export interface GenerationRecord {
  id: string;
  object: 'generation';
  type: 'video' | 'image';
  model: string;
  status: Status;
  status_url: string;
  /** Seconds until the next poll; only while queued or processing. */
  retry_after_seconds?: number;
  created_at: string;
  /** When it ended, completed or failed. */
  completed_at?: string;
  parameters: VideoParameters | ImageParameters;
  billing: Billing;
  /** Only when completed. */
  output?: Output;
  /** Only when failed. */
  error?: GenerationError;
}

/** Answer of GET /credits/balance. */
export interface CreditBalance {
  object: 'credit_balance';
  unit: 'credits';
  /** Can be spent now. */
  available: number;
  /** What unfinished generations were charged; already taken from `available`. */
  in_flight: number;
  as_of: string;
}

/** One problem of a request: where (such as `inputs[1].url`), what kind, and what to do. */
export interface ErrorDetail {
  param: string;
  code: string;
  message: string;
}

/** A problem found by Framegate's own request rules. */
export interface Problem extends ErrorDetail {
  code: DetailCode;
}

/** Body of every refused request. */
export interface ErrorBody {
  error: {
    type: ErrorType;
    code: ErrorCode;
    message: string;
    param: string | null;
    request_id: string;
    /** Whether the same request may succeed later. */
    retryable: boolean;
    details: ErrorDetail[];
    /** Only with `insufficient_credits`. */
    credits?: { required: number; available: number };
  };
}

/** A pricing without its worked examples: all that a price needs. */
export type PricingRule = Omit<VideoPricing, 'examples'> | Omit<ImagePricing, 'examples'>;

/** What `priceCredits` reads of the parameters. */
export interface PricedParameters {
  resolution: string;
  duration_seconds?: number;
  generate_audio?: boolean;
  n?: number;
}

/**
 * The one price function: integer credits for one generation, from the wire pricing and the
 * effective parameters. Whole numbers throughout; the single rounding is upwards on the whole.
 * @throws RangeError when the resolution has no price, or a number is not a positive whole one.
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

/** Product of two positive whole numbers, exact or refused. */
function product(a: number, b: number): number {
  const result = a * b;
  if (!isPositive(a) || !isPositive(b) || !Number.isSafeInteger(result)) {
    throw new RangeError(`not a price: ${String(a)} times ${String(b)}`);
  }
  return result;
}

/** Quotient rounded up; both divisions leave no fraction, so the result is exact. */
function dividedUp(dividend: number, divisor: number): number {
  if (!isPositive(divisor)) throw new RangeError(`not a divisor: ${String(divisor)}`);
  const rest = dividend % divisor;
  return rest === 0 ? dividend / divisor : (dividend - rest) / divisor + 1;
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** Sound costs a quarter more. */
const audio: VideoPricing['audio'] = { numerator: 5, denominator: 4 };

/** The `pricing` object of GET /models: a client computes the exact cost from it alone. */
export function pricingOf(model: Model): Pricing {
  return model.type === 'video' ? videoPricing(model) : imagePricing(model);
}

function videoPricing(model: VideoModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'second',
    credits: pricesOf(model.resolutions, model.creditsPerSecond),
    audio,
    rounding: 'up',
  } as const;
  const usual = {
    duration_seconds: model.duration.default,
    resolution: model.defaults.resolution,
    generate_audio: model.defaults.generateAudio,
  };
  const most = {
    duration_seconds: model.duration.max,
    resolution: model.resolutions.at(-1) ?? usual.resolution,
    generate_audio: model.generateAudio,
  };
  return { ...rule, examples: examples(rule, [usual, most]) };
}

function imagePricing(model: ImageModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'image',
    credits: pricesOf(model.resolutions, model.creditsPerImage),
    rounding: 'up',
  } as const;
  const usual = { n: model.defaults.n, resolution: model.defaults.resolution };
  const most = { n: model.n.max, resolution: model.resolutions.at(-1) ?? usual.resolution };
  return { ...rule, examples: examples(rule, [usual, most]) };
}

/** Prices of the offered resolutions, from the smallest resolution to the largest. */
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

/** What each model may take, by number of files; the caps per file are the same everywhere. */
function inputs(image: number, video: number, audio: number): InputLimits {
  return {
    image: { maxCount: image, maxBytes: 20_000_000, maxPixels: 40_000_000 },
    video: { maxCount: video, maxBytes: 50_000_000, maxSeconds: 15 },
    audio: { maxCount: audio, maxBytes: 15_000_000, maxSeconds: 15 },
  };
}

/** Models with image-to-video only take a first and a last frame. */
const framesOnly = inputs(2, 0, 0);
const framesOnlyModes = ['text-to-video', 'image-to-video'] as const;

const everyVideoModel = {
  type: 'video',
  aspectRatios: videoAspectRatios,
  realPersonModes: [],
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
 * The models that Framegate knows in the order of GET /models.
 * Neutral ids only: who makes a model is the operator's routes file.
 */
export const catalogue: readonly Model[] = [...videoModels, ...imageModels];

/** The model with this id, or undefined; `models` is the operator's catalogue where prices differ. */
export function findModel(id: string, models: readonly Model[] = catalogue): Model | undefined {
  return models.find((model) => model.id === id);
}
