import {
  AISDKError,
  type Experimental_VideoModelV4OperationStatusResult as StatusResult,
} from '@ai-sdk/provider';
import { type Exchange, isAnswered, type RecordedCall } from './exchanges.ts';
import { reportsFinished } from './jobEnd.ts';
import {
  type FailureRules,
  failureTextOf,
  interpretText,
  noteOf,
  shortMessageOf,
} from './providerFailures.ts';
import { flagIn, responsesIn } from './resultFlags.ts';
import type { PollResult } from './route.ts';
import { parseJson } from './unknownJson.ts';
import { isOfKey, isOperatorsFault } from './verdicts.ts';

type FinishedVideos = Extract<StatusResult, { status: 'completed' }>['videos'];

type Warnings = Extract<StatusResult, { status: 'completed' }>['warnings'];

/** Like `PollResult`, with the finished files and warnings as returned by the package. */
export type ClassifiedPoll =
  | Exclude<PollResult, { kind: 'completed' }>
  | { kind: 'completed'; files: FinishedVideos; warnings: Warnings };

/**
 * Classifies the result of a poll. Only a definitive verdict fails a job: a package's `error` with a status of
 * success (or one that the dialect recognises as a verdict, if the package confuses them), or a finished job whose
 * response also says that the filter refused it. Transport faults, 5xx, 429, HTML and unreadable responses are not
 * verdicts, nor is a finished job without a file unless the provider names the reason: the file may follow.
 */
export function classifyPoll(
  call: RecordedCall<StatusResult>,
  rules: FailureRules,
): ClassifiedPoll {
  const last = call.exchanges.at(-1);
  if (call.ok && call.value.status === 'pending') return { kind: 'pending' };
  if (call.ok && call.value.status === 'completed') {
    const responses = [...responsesIn(call.exchanges.slice(-1)), call.value.providerMetadata];
    const flag = flagIn(responses, rules.flags ?? []);
    if (flag !== null) {
      const note = pollNote(`refused in addition to the result: ${flag}`, last, rules);
      return { kind: 'failed', code: 'output_rejected', note };
    }
    const files = call.value.videos.filter(({ type }) => type !== 'uploaded');
    return files.length > 0
      ? { kind: 'completed', files, warnings: call.value.warnings }
      : withoutFile('finished without a file', last, rules);
  }
  const message = call.ok
    ? call.value.status === 'error'
      ? call.value.error
      : ''
    : shortMessageOf(call.error);
  if (!call.ok && isUnfilled(call.error, last)) return withoutFile(message, last, rules);
  if (call.ok && isTrusted(last, rules)) {
    const isFinished = isAnsweredWith(last, reportsFinished);
    return isFinished ? withoutFile(message, last, rules) : failedPoll(message, last, rules);
  }
  const code = last?.isFinished === true ? meaningOf(message, last, rules).code : null;
  return { kind: 'fault', note: pollNote(message, last, rules), ...(code && { code }) };
}

/**
 * A job that is finished without a file: failed if the provider gives a known reason, otherwise the poll may have come
 * too early.
 */
function withoutFile(
  message: string,
  last: Exchange | undefined,
  rules: FailureRules,
): ClassifiedPoll {
  const { verdict, code } = meaningOf(message, last, rules);
  if (rules.isLocal === true || code !== null) return failedPoll(message, last, rules);
  const isFinished = !isOperatorsFault(verdict);
  return { kind: 'fault', note: pollNote(message, last, rules), isFinished };
}

const isAnsweredWith = (last: Exchange | undefined, is: (response: unknown) => boolean) =>
  last !== undefined && isAnswered(last) && last.body !== null && is(parseJson(last.body));

/** Whether the response behind a package's `error` is the provider's verdict on the job. */
function isTrusted(last: Exchange | undefined, rules: FailureRules): boolean {
  if (!last) return rules.isLocal === true;
  if (last.failure !== null || last.status === null) return false;
  if (rules.isVerdict) return rules.isVerdict(last);
  return isAnswered(last) && last.body !== null && parseJson(last.body) !== undefined;
}

/**
 * Whether a package threw because the provider reports "done" without a file. The SDK's own errors about
 * transport and unreadable responses have names that begin with `AI_`.
 */
function isUnfilled(error: unknown, last: Exchange | undefined): boolean {
  if (!AISDKError.isInstance(error) || error.name.startsWith('AI_')) return false;
  return isAnsweredWith(last, (response) => response !== undefined);
}

function meaningOf(message: string, last: Exchange | undefined, rules: FailureRules) {
  const text = [message, failureTextOf(last?.body ?? null)].join(' | ');
  return interpretText(text, 'work', rules);
}

function failedPoll(
  message: string,
  last: Exchange | undefined,
  rules: FailureRules,
): ClassifiedPoll {
  const { verdict, code } = meaningOf(message, last, rules);
  const note = pollNote(message, last, rules);
  // A fault that the operator must correct is not a verdict on the job.
  if (isOfKey(verdict)) return { kind: 'fault', note };
  return { kind: 'failed', code: code ?? 'generation_failed', note };
}

function pollNote(message: string, last: Exchange | undefined, rules: FailureRules): string {
  const text = failureTextOf(last?.body ?? null);
  const reason = text.includes(message) ? text : [message, text].filter(Boolean).join(': ');
  return noteOf(last, reason, rules.apiKey);
}
