import {
  AISDKError,
  APICallError,
  type Experimental_VideoModelV4OperationStatusResult as StatusResult,
} from '@ai-sdk/provider';
import { describe, expect, test } from '@jest/globals';
import { classifyPoll } from './classifyPoll.ts';
import type { Exchange, RecordedCall } from './exchanges.ts';
import type { FailureRules } from './providerFailures.ts';
import { flagsOf } from './resultFlags.ts';

const rules: FailureRules = { apiKey: '', operatorRules: [], defaultRules: [], flags: flagsOf() };
const response = { timestamp: new Date(0), modelId: 'm', headers: undefined };

function answered(status: number | null, body: string | null = '{"status":"x"}'): Exchange[] {
  const failure = status === null ? 'ECONNRESET: socket hang up' : null;
  return [{ method: 'GET', host: 'api.example', isSent: true, status, body, failure }];
}

const ok = (value: StatusResult, exchanges: Exchange[]): RecordedCall<StatusResult> => ({
  ok: true,
  value,
  exchanges,
});
const threw = (error: unknown, exchanges: Exchange[]): RecordedCall<StatusResult> => ({
  ok: false,
  error,
  exchanges,
});

const pending: StatusResult = { status: 'pending', response };
const error: StatusResult = { status: 'error', error: 'content policy', response };
const aboutKey: StatusResult = { status: 'error', error: 'Invalid API key', response };
const completed = (...types: ('url' | 'uploaded')[]): StatusResult => ({
  status: 'completed',
  warnings: [],
  response,
  videos: types.map((type) =>
    type === 'url'
      ? { type, url: 'https://a.example/1.mp4', mediaType: 'video/mp4' }
      : { type, mediaType: 'video/mp4' },
  ),
});
const transport = new APICallError({
  message: 'x',
  url: 'https://a.example',
  requestBodyValues: {},
});
const noFile = new AISDKError({ name: 'SOME_VIDEO_GENERATION_ERROR', message: 'No video' });
const download = new AISDKError({ name: 'AI_DownloadError', message: 'blocked' });

const unfilled: StatusResult = { status: 'error', error: 'no URL', response };
const done = '{"status":"done","video":{"url":""}}';
const nsfw = '{"status":"succeeded","error":"NSFW content"}';

const table: [string, RecordedCall<StatusResult>, string][] = [
  ['pending', ok(pending, answered(200)), 'pending'],
  ['pending by an error status', ok(pending, answered(400)), 'pending'],
  ['completed', ok(completed('url'), answered(200)), 'completed'],
  [
    'completed, with a refusal next to the file',
    ok(completed('url'), answered(200, '{"has_nsfw_concepts":[true]}')),
    'failed: output_rejected',
  ],
  [
    'completed, with a refusal that only the package hands over',
    ok(
      {
        ...completed('url'),
        providerMetadata: { x: { has_nsfw_concepts: [true] } },
      },
      answered(200),
    ),
    'failed: output_rejected',
  ],
  ['completed without a file', ok(completed(), answered(200)), 'fault, finished'],
  ['completed elsewhere', ok(completed('uploaded'), answered(200)), 'fault, finished'],
  ['an error with 200', ok(error, answered(200)), 'failed: output_rejected'],
  ['an error about the key', ok(aboutKey, answered(200)), 'fault'],
  ['an error with 500', ok(error, answered(500)), 'fault'],
  ['an error with 404', ok(error, answered(404)), 'fault'],
  ['an error with 429', ok(error, answered(429)), 'fault'],
  ['an error with 200 and HTML', ok(error, answered(200, '<html>')), 'fault'],
  ['an error with 200 and nothing', ok(error, answered(200, '')), 'fault'],
  ['an error with no response', ok(error, answered(null)), 'fault'],
  ['an error without any request', ok(error, []), 'fault'],
  ['a package that finds no file', threw(noFile, answered(200)), 'fault, finished'],
  ['the same with the reason', threw(noFile, answered(200, nsfw)), 'failed: output_rejected'],
  ['an error about a finished job', ok(unfilled, answered(200, done)), 'fault, finished'],
  ['the same with the reason', ok(error, answered(200, done)), 'failed: output_rejected'],
  ['an error about a failed job', ok(unfilled, answered(200)), 'failed: generation_failed'],
  ['the same with 500', threw(noFile, answered(500)), 'fault'],
  ['the same with HTML', threw(noFile, answered(200, '<html>')), 'fault'],
  ['a failed request', threw(transport, answered(200)), 'fault'],
  ['a refused download', threw(download, answered(200)), 'fault'],
  ['a bug of the package', threw(new TypeError('x'), answered(200)), 'fault'],
  ['nothing sent', threw(new TypeError('x'), []), 'fault'],
];

describe('a poll', () => {
  test.each(table)('%s', (_, call, expected) => {
    const found = classifyPoll(call, rules);
    const isFinished = found.kind === 'fault' && found.isFinished === true;
    const said = isFinished ? 'fault, finished' : found.kind;
    expect(found.kind === 'failed' ? `failed: ${found.code}` : said).toBe(expected);
  });

  test('at a renderer on this machine needs no response for a verdict', () => {
    expect(classifyPoll(ok(error, []), { ...rules, isLocal: true }).kind).toBe('failed');
  });

  test('through a package that confuses outcomes is judged only by its dialect', () => {
    const isVerdict = ({ status }: Exchange) => status === 422;
    expect(classifyPoll(ok(error, answered(422)), { ...rules, isVerdict }).kind).toBe('failed');
    expect(classifyPoll(ok(error, answered(200)), { ...rules, isVerdict }).kind).toBe('fault');
  });
});
