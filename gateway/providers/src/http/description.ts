import type { ChargePlace } from '../charges.ts';
import type { ResultFlag } from '../resultFlags.ts';
import type { CancelRequest, Row, SizeTable } from '../rows.ts';
import type { JsonObject, SendRules } from '../sendRules.ts';
import type { RuleCode } from '../verdicts.ts';

/** How a key is presented. */
export type Auth =
  | { type: 'bearer' | 'basic' | 'none' }
  /** A header with `{key}` in its value. */
  | { type: 'header'; name: string; value: string }
  | { type: 'query'; name: string }
  /** A token that `id:secret` signs for a short time (JWT, HS256). */
  | { type: 'jwt'; seconds: number }
  /** An access token of Google's, for the JSON key of a service account. */
  | { type: 'google-service-account'; scopes: readonly string[] }
  /** Signatures by AWS (Signature Version 4) with `access key id:secret access key`. */
  | { type: 'aws-sigv4'; service: string; region: string };

/** A meaning of a response; everything that it states must hold. */
export interface DescribedError {
  /** HTTP status. */
  status?: number;
  /** A whole word or number in its codes and messages; not with `contains`. */
  code?: string | number;
  /** A part of them, ignoring case. */
  contains?: string;
  means: RuleCode;
}

/** The path of an order, if it contains these fields of `send`. */
export interface Endpoint {
  with: readonly string[];
  path: string;
}

/** The order of some work, its polls and its results. Values are taken by JSON pointers with `*`. */
export interface Work {
  submit: {
    method: 'POST' | 'PUT';
    /** The first endpoint whose fields are all sent. */
    path: string | readonly Endpoint[];
    encoding: 'json' | 'multipart';
    body: JsonObject;
    /**
     * The object in the body that gets the fields of `send` and the route's options that the template does not name.
     */
    fieldsAt: string;
  };
  /** How orders for models without a row are sent. */
  send: SendRules;
  /** Absent if the response to the order has the results. */
  taskId?: string;
  poll?: {
    method: 'GET' | 'POST';
    /** Path of the order, with `{id}`, `{model}` or `{endpoint}`. */
    path: string;
    /** Place where responses repeat the task's id. */
    taskId?: string;
    everySeconds?: number;
  };
  states?: {
    at: string;
    pending: readonly (string | number)[];
    completed: readonly (string | number)[];
    failed: readonly (string | number)[];
    /** Failed because the content was refused. */
    refused: readonly (string | number)[];
    /** Places of the reason for a failure. */
    reasons: readonly string[];
  };
  files: {
    addresses?: readonly string[];
    base64?: readonly string[];
    /** The path of the only file, with `{id}`; it needs the key. */
    path?: string;
    /** A further request whose response contains the URLs, with `{value}` in its path. */
    lookup?: { path: string; value: string };
    /** Whether URLs on the API's own host require the key. */
    withKey?: boolean;
  };
  cancel?: { method: CancelRequest['method']; path: string };
  /** Places where the provider reports usage and cost. */
  reported: readonly string[];
  /** Place where it states the charge for the order. */
  charged?: ChargePlace;
  /** Images of one order. */
  imagesPerCall: number;
}

/** The description of a provider's API. */
export interface Description {
  /** The documents that it was written from, and the date on which they were read. */
  source?: string;
  readOn?: string;
  baseURL?: string;
  auth: Auth;
  /** Headers of every request; `{uuid}` in a value is a new one each time. */
  headers: Readonly<Record<string, string>>;
  /** Hosts of finished files, if the documents name them. */
  mediaHosts: readonly string[];
  takesBytesOnly?: boolean;
  errors: readonly DescribedError[];
  flags: readonly ResultFlag[];
  probe?: { path: string; balance?: string };
  videos?: Work;
  /** `videos`: images are ordered like videos. */
  images?: Work | 'videos';
  rows: readonly (Omit<Row, 'send' | 'sizes'> & { send?: SendRules; sizes?: string | SizeTable })[];
}

/** The work of a type; null if the API does not do it. */
export function workOf(
  { videos, images }: Pick<Description, 'videos' | 'images'>,
  type: 'video' | 'image',
): Work | null {
  const work = type === 'video' || images === 'videos' ? videos : images;
  return work ?? null;
}

/** Whether the API itself serves finished files of any type. */
export function servesOwnFiles(description: Pick<Description, 'videos' | 'images'>): boolean {
  return (['video', 'image'] as const).some((type) => {
    const { path, withKey } = workOf(description, type)?.files ?? {};
    return path !== undefined || withKey === true;
  });
}

/** Whether the description says where finished videos are. */
export function namesFileHosts(description: Description): boolean {
  const { videos, mediaHosts } = description;
  const isInline = videos !== undefined && videos.files.addresses === undefined;
  return isInline || mediaHosts.length > 0;
}
