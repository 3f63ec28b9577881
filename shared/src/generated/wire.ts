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
