import { AISDKError } from '@ai-sdk/provider';
import type { Experimental_VideoModelV4OperationStatusResult as StatusResult } from '@ai-sdk/provider';
import type { PollResult } from '../../application/ports/providers.ts';
import { isAnswered, type Exchange, type RecordedCall } from './exchanges.ts';
import {
  failureCodeOf,
  failureTextOf,
  messageOf,
  parseJson,
  staffNote,
  type FailureRules,
} from './providerFailures.ts';

type Files = Extract<StatusResult, { status: 'completed' }>['videos'];

type Warnings = Extract<StatusResult, { status: 'completed' }>['warnings'];

/** As `PollResult`, with the finished files and warnings as the package gave them. */
export type ClassifiedPoll =
  | Exclude<PollResult, { kind: 'completed' }>
  | { kind: 'completed'; files: Files; warnings: Warnings };

/**
 * What the result of a poll means. Only a definitive verdict fails a job: a package's `error`
 * that came with a status of success (or, where a package mixes that up, that the dialect knows as a
 * verdict), or a finished job without a file. A transport fault, 5xx, 429, HTML or what cannot be
 * understood is no verdict.
 */
export function classifyPoll(
  call: RecordedCall<StatusResult>,
  rules: FailureRules,
): ClassifiedPoll {
  const last = call.exchanges.at(-1);
  if (call.ok && call.value.status === 'pending') return { kind: 'pending' };
  if (call.ok && call.value.status === 'completed') {
    const files = call.value.videos.filter(({ type }) => type !== 'uploaded');
    return files.length > 0
      ? { kind: 'completed', files, warnings: call.value.warnings }
      : failed('finished without a file', last, rules);
  }
  const message = call.ok
    ? call.value.status === 'error'
      ? call.value.error
      : ''
    : messageOf(call.error);
  const isVerdict = call.ok ? isTrusted(last, rules) : isUnfilled(call.error, last);
  if (isVerdict) return failed(message, last, rules);
  return { kind: 'fault', note: noteOf(message, last, rules) };
}

/** Whether the answer behind a package's `error` is the provider's verdict on the job. */
function isTrusted(last: Exchange | undefined, rules: FailureRules): boolean {
  if (!last) return rules.isLocal === true;
  if (last.failure !== null || last.status === null) return false;
  if (rules.isVerdict) return rules.isVerdict(last);
  return isAnswered(last) && last.body !== null && parseJson(last.body) !== undefined;
}

/**
 * Whether a package threw because the provider says "done" and names no file. The SDK's own errors, on
 * transport and on answers that it could not read, have names that begin with `AI_`.
 */
function isUnfilled(error: unknown, last: Exchange | undefined): boolean {
  if (!last || !isAnswered(last) || last.body === null) return false;
  if (!AISDKError.isInstance(error) || error.name.startsWith('AI_')) return false;
  return parseJson(last.body) !== undefined;
}

function failed(message: string, last: Exchange | undefined, rules: FailureRules): ClassifiedPoll {
  const text = [message, failureTextOf(last?.body ?? null)].join(' | ');
  const code = failureCodeOf(text, 'work', rules) ?? 'generation_failed';
  return { kind: 'failed', code, note: noteOf(message, last, rules) };
}

function noteOf(message: string, last: Exchange | undefined, rules: FailureRules): string {
  const text = failureTextOf(last?.body ?? null);
  const reason = text.includes(message) ? text : [message, text].filter(Boolean).join(': ');
  const parts = [last?.status?.toString() ?? null, last?.failure ?? null, reason];
  return staffNote(parts, rules.apiKey);
}
