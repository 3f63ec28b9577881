import type { DetailCode } from './detailCodes.ts';
import type { ErrorCode, ErrorType } from './errorCodes.ts';
import type { FailureCode } from './failureCodes.ts';
import type { InputRole, InputType, VideoMode } from './model.ts';
import type { EffectiveParameters, GivenParameters } from './parameterReaders.ts';
import type { imageParameters, videoParameters } from './parameters.ts';
import type { Status } from './states.ts';

/* Requests and answers on the wire, with fields in the order of sending. */

/** An input of POST /videos. The input URL rules validate the URL. */
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

/** `parameters` of POST /videos; missing ones use the model's defaults. */
export type VideoParametersBody = GivenParameters<typeof videoParameters>;

/** `parameters` of POST /images; missing ones use the model's defaults. */
export type ImageParametersBody = GivenParameters<typeof imageParameters>;

/** Confirmation of the rights to a real person's likeness; only with real-person mode. */
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

/** Body of a price estimate for a video or an image model. */
export interface EstimateCostBody {
  model: string;
  parameters?: VideoParametersBody | ImageParametersBody;
}

/** Effective parameters of a video: echoed, billed and sent to the provider. */
export type VideoParameters = EffectiveParameters<typeof videoParameters>;

/** Effective parameters of images: echoed, billed and sent to the provider. */
export type ImageParameters = EffectiveParameters<typeof imageParameters>;

/** Cost of a generation and its refund. */
export interface Billing {
  unit: 'credits';
  cost_credits: number;
  policy: 'same_as_pc';
  status: 'charged' | 'refunded';
  /** Only when refunded: the credits given back. */
  refunded_credits?: number;
}

/** Finished files; empty after their deletion. */
export interface Output {
  urls: string[];
  /** Videos only, and only while the file is kept. */
  video_url?: string;
  /** Images only. */
  image_urls?: string[];
  /** Expiry of these URLs; until the deletion, reading the generation again returns new ones. */
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

/** A generation in the answers of create and poll. */
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
  /** Available for spending. */
  available: number;
  /** Charges of unfinished generations, already deducted from `available`. */
  in_flight: number;
  as_of: string;
}

/** One problem of a request: parameter (such as `inputs[1].url`), kind and remedy. */
export interface ErrorDetail {
  param: string;
  code: string;
  message: string;
}

/** A problem found by Framegate's request rules. */
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
