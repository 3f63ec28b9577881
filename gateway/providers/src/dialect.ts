import type { Experimental_VideoModelV4OperationStatusResult as StatusResult } from '@ai-sdk/provider';
import type { ChargePlace } from './charges.ts';
import type { Exchange, PollResponse } from './exchanges.ts';
import type { FailureRules } from './providerFailures.ts';
import type { ApiFacts, ProviderRows } from './rows.ts';
import type { JsonObject } from './sendRules.ts';
import { fieldsOf } from './unknownJson.ts';

/**
 * A provider package's dialect of the common interface: the rows of its models, with their abilities and the place of
 * each of our parameters, and its refusals. Packages silently drop unknown parameters, so each parameter is sent where
 * the provider actually reads it, or is not covered.
 */
export interface Dialect
  extends ApiFacts, Pick<FailureRules, 'defaultRules' | 'flags' | 'isVerdict' | 'isLocal'> {
  models: ProviderRows;
  /**
   * Whether, by the provider's documentation, a job that failed with this response is free; absent if every failure may
   * be charged.
   */
  failureIsFree?(response: Pick<Exchange, 'status'>): boolean;
  /** Where its responses state the charge for an order, by the type of work; absent if they do not. */
  charges?: Readonly<Partial<Record<'video' | 'image', ChargePlace>>>;
  /** Interprets a response to a poll inside an image call, if the package does not know all of them. */
  parseImagePoll?(response: unknown): PollResponse;
  /**
   * The operation for a provider's task id, as the package's `doStart` would return it; null for an invalid id.
   * Absent if an id is not sufficient.
   */
  operationOf?(taskId: string, model: string): JsonObject | null;
  /**
   * Corrects the URL of a submission, given the package's URL and the provider's model id; absent if the
   * package is right.
   */
  submitUrl?(url: string, model: string): string;
  /**
   * Finds a job's status after its result was answered with a failure: whether that response itself says that the job
   * still runs, the status's URL, derived from that of the result, and whether a response from there says that the
   * job is finished. Absent if results are requested only after the status.
   */
  resultStatus?: {
    isTooEarly(response: unknown): boolean;
    urlOf(resultUrl: string): string;
    isFinished(response: unknown): boolean;
  };
  /** Set if an image call fetches no files: every GET inside it is a poll, whether or not its headers have the key. */
  fetchesNoFiles?: boolean;
  /** Reads a job's end that the package cannot read from the provider's response. */
  parseEnd?(response: unknown): JobEnd | null;
}

type EndOf<S extends StatusResult['status']> = Omit<
  Extract<StatusResult, { status: S }>,
  'response'
>;

/** The end of a job, in the form of the interface. */
export type JobEnd = EndOf<'completed'> | EndOf<'error'>;

/** A text field of an operation, or null. */
export function textIn(operation: unknown, name: string): string | null {
  const text = fieldsOf(operation)[name];
  return typeof text === 'string' && text !== '' ? text : null;
}

/** Whether a copied task id is plain: it becomes part of a path, so it must contain nothing else. */
export function isPlainId(text: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,127}$/.test(text);
}
