import { literalPattern } from '@framegate/contract';
import type { Dialect } from '../dialect.ts';
import type { PollResponse } from '../exchanges.ts';
import { parseDialect } from '../parseDialect.ts';
import type { DefaultRule } from '../verdicts.ts';
import { type DescribedError, type Description, type Work, workOf } from './description.ts';
import { parsePointer, textAt } from './pointers.ts';

/** The name of the order's own fields in a call. */
export const fieldsName = 'http';

/** The dialect of a described API. */
export function httpDialect(description: Description): Dialect {
  const { rows, flags, takesBytesOnly, errors, probe, baseURL = '' } = description;
  const [videos, images] = [workOf(description, 'video'), workOf(description, 'image')];
  const { source = 'https://localhost/', readOn = '1970-01-01' } = description;
  const work = videos ?? images;
  const named = { ...(videos && { video: videos.send }), ...(images && { image: images.send }) };
  const repeated = videos?.poll?.taskId;
  const { models, ...facts } = parseDialect({
    name: fieldsName,
    apiHosts: [],
    rows,
    send: named,
    flags: flags.map((flag) => ({ ...flag, source, readOn })),
    task: { field: 'taskId', ...(repeated && { response: parsePointer(repeated).join('.') }) },
    ...(takesBytesOnly && { takesBytesOnly }),
    ...(images?.poll && { queuesImages: true }),
    // A task is polled where it was ordered.
    ...(!videos?.poll?.path.includes('{endpoint}') && {
      operations: [{ operation: { taskId: '{id}' } }],
    }),
  });
  return {
    ...facts,
    models: {
      ...models,
      ...(probe && {
        probe: { ...probe, url: `${baseURL}${probe.path}`, headers: {}, source, readOn },
      }),
    },
    defaultRules: [{ contains: refusedContentPrefix, means: 'content' } as const, ...errors].map(
      ruleOf,
    ),
    fetchesNoFiles: true,
    charges: {
      ...(videos?.charged && { video: videos.charged }),
      ...(images?.charged && { image: images.charged }),
    },
    ...(work?.cancel && {
      cancel: {
        method: work.cancel.method,
        field: 'taskId',
        url: `${baseURL}${work.cancel.path.replace('{id}', '{value}')}`,
        headers: {},
      },
    }),
    ...(images?.poll && { parseImagePoll: (response) => imagePoll(images, response) }),
  };
}

function ruleOf({ status, code, contains, means }: DescribedError): DefaultRule {
  const part = literalPattern(String(code ?? contains ?? ''));
  const words = code === undefined ? part : `(?<![\\w-])${part}(?![\\w-])`;
  return {
    ...(words !== '' && { match: new RegExp(words, 'i') }),
    ...(status !== undefined && { status }),
    code: means,
  };
}

/** Begins the reason of a task whose state says that its content was refused. */
const refusedContentPrefix = 'state of refused content:';

/** The state of a task, by the words of its description; `unknown` with the word itself for any other. */
export function stateIn(
  { states }: Work,
  response: unknown,
): { state: TaskState; stateWord: string } {
  const stateWord = states ? textAt(response, [states.at]) : null;
  if (!states || stateWord === null) return { state: 'missing', stateWord: '' };
  const isAmong = (words: readonly (string | number)[]) =>
    words.some((word) => String(word).toLowerCase() === stateWord.toLowerCase());
  if (isAmong(states.refused)) {
    return { state: 'failed', stateWord: `${refusedContentPrefix} ${stateWord}` };
  }
  const state = (['pending', 'completed', 'failed'] as const).find((each) => isAmong(states[each]));
  return { state: state ?? 'unknown', stateWord };
}

type TaskState = 'pending' | 'completed' | 'failed' | 'unknown' | 'missing';

/** The reason of a failed task: its state, and the values at the described places. */
export function reasonIn({ states }: Work, response: unknown, stateWord: string): string {
  const reasons = (states?.reasons ?? []).flatMap((at) => textAt(response, [at]) ?? []);
  return [stateWord, ...reasons].join(' | ');
}

function imagePoll(work: Work, response: unknown): PollResponse {
  const { state, stateWord } = stateIn(work, response);
  if (state === 'failed') return { ended: reasonIn(work, response, stateWord) };
  return state === 'completed' ? 'usable' : 'inconclusive';
}
