import { AISDKError } from '@ai-sdk/provider';
import type { Experimental_VideoModelV4OperationStatusResult as StatusResult } from '@ai-sdk/provider';
import type { Look } from '../../application/ports/route.ts';
import { isAnswered } from './exchanges.ts';
import type { Exchange, RecordedCall } from './exchanges.ts';
import { judgeWords } from './failureRules.ts';
import type { ProviderVoice } from './providerVoice.ts';
import { messageOf, parseJson, staffNote, wordsOf } from './providerWords.ts';

type Files = Extract<StatusResult, { status: 'completed' }>['videos'];

type Warnings = Extract<StatusResult, { status: 'completed' }>['warnings'];

/** What a look means: as `Look`, with the finished files and warnings as the package gave them. */
export type JudgedLook =
  Exclude<Look, { kind: 'completed' }> | { kind: 'completed'; files: Files; warnings: Warnings };

/**
 * What a look means (design section 3). Only a definitive verdict fails a job: a package's `error`
 * that came with a status of success (or, where a package mixes that up, that the dialect knows as a
 * verdict), or a finished job without a file. A transport fault, 5xx, 429, HTML or what cannot be
 * understood says nothing.
 */
export function classifyLook(call: RecordedCall<StatusResult>, voice: ProviderVoice): JudgedLook {
  const last = call.exchanges.at(-1);
  if (call.ok && call.value.status === 'pending') return { kind: 'pending' };
  if (call.ok && call.value.status === 'completed') {
    const files = call.value.videos.filter(({ type }) => type !== 'uploaded');
    return files.length > 0
      ? { kind: 'completed', files, warnings: call.value.warnings }
      : failed('finished without a file', last, voice);
  }
  const message = call.ok
    ? call.value.status === 'error'
      ? call.value.error
      : ''
    : messageOf(call.error);
  const isVerdict = call.ok ? isTrusted(last, voice) : isUnfilled(call.error, last);
  if (isVerdict) return failed(message, last, voice);
  return { kind: 'fault', note: noteOf(message, last, voice) };
}

/** Whether the answer behind a package's `error` is the provider's word on the job. */
function isTrusted(last: Exchange | undefined, voice: ProviderVoice): boolean {
  if (!last) return voice.isLocal === true;
  if (last.failure !== null || last.status === null) return false;
  if (voice.isVerdict) return voice.isVerdict(last);
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

function failed(message: string, last: Exchange | undefined, voice: ProviderVoice): JudgedLook {
  const words = [message, wordsOf(last?.body ?? null)].join(' | ');
  const code = judgeWords(words, 'work', voice.rules) ?? 'generation_failed';
  return { kind: 'failed', code, note: noteOf(message, last, voice) };
}

function noteOf(message: string, last: Exchange | undefined, voice: ProviderVoice): string {
  const words = wordsOf(last?.body ?? null);
  const said = words.includes(message) ? words : [message, words].filter(Boolean).join(': ');
  const parts = [last?.status?.toString() ?? null, last?.failure ?? null, said];
  return staffNote(parts, voice.apiKey);
}
