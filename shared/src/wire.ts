import type { DetailCode } from './detailCodes.ts';
import type { ErrorCode, ErrorType } from './errorCodes.ts';
import type { FailureCode } from './failureCodes.ts';
import type {
  ImageAspectRatio,
  ImageFormat,
  ImageResolution,
  InputRole,
  InputType,
  VideoAspectRatio,
  VideoMode,
  VideoResolution,
} from './model.ts';
import type { Status } from './states.ts';

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
