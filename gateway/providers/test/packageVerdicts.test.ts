import { describe, expect, test } from '@jest/globals';
import type { PackageName } from './packageFixtures.ts';
import { readOutput } from './routeFixtures.ts';
import { html, useVerdictServer, type Given } from './verdictFixtures.ts';

const server = useVerdictServer();

const replicateJob = { getUrl: 'https://api.replicate.com/v1/predictions/1' };
const prediction = { id: '1', urls: { get: replicateJob.getUrl } };

describe('a poll through the other packages', () => {
  const operation = { operationName: 'models/veo/operations/1' };
  const done = (response: object) =>
    [200, { name: operation.operationName, done: true, response }] as [number, object];
  const looks: [string, PackageName, unknown, Given, object][] = [
    [
      'google: 500',
      'google',
      operation,
      [500, { error: { code: 500, message: 'x', status: 'INTERNAL' } }],
      { kind: 'fault' },
    ],
    [
      'google: running',
      'google',
      operation,
      [200, { name: operation.operationName, done: false }],
      { kind: 'pending' },
    ],
    [
      ...(['google: filtered', 'google', operation] as const),
      done({
        generateVideoResponse: {
          raiMediaFilteredCount: 1,
          raiMediaFilteredReasons: ['Violates our usage guidelines.'],
        },
      }),
      { kind: 'failed', code: 'output_rejected' },
    ],
    [
      'google: no samples',
      'google',
      operation,
      done({}),
      { kind: 'failed', code: 'generation_failed' },
    ],
    [
      ...(['google: error', 'google', operation] as const),
      [
        200,
        {
          name: operation.operationName,
          done: true,
          error: { code: 3, message: 'blocked by our safety filter' },
        },
      ],
      { kind: 'failed', code: 'output_rejected' },
    ],
    ['replicate: 500', 'replicate', replicateJob, [500, { detail: 'x' }], { kind: 'fault' }],
    ['replicate: nonsense', 'replicate', replicateJob, [200, { hello: 1 }], { kind: 'fault' }],
    [
      'replicate: aborted',
      'replicate',
      replicateJob,
      [200, { ...prediction, status: 'aborted' }],
      { kind: 'failed', code: 'generation_failed' },
    ],
    [
      ...(['replicate: a list', 'replicate', replicateJob] as const),
      [200, { ...prediction, status: 'succeeded', output: ['https://files.example/1.mp4'] }],
      { kind: 'completed', outputs: [{}] },
    ],
    [
      ...(['replicate: sensitive', 'replicate', replicateJob] as const),
      [
        200,
        {
          ...prediction,
          status: 'failed',
          error: 'The input or output was flagged as sensitive. (E005)',
        },
      ],
      { kind: 'failed', code: 'output_rejected' },
    ],
    [
      'replicate: no output',
      'replicate',
      replicateJob,
      [200, { ...prediction, status: 'succeeded' }],
      { kind: 'failed', code: 'generation_failed' },
    ],
    [
      ...(['alibaba: input', 'alibaba', { taskId: '1' }] as const),
      [
        200,
        {
          output: {
            task_id: '1',
            task_status: 'FAILED',
            code: 'DataInspectionFailed',
            message: 'Input data may contain inappropriate content.',
          },
        },
      ],
      { kind: 'failed', code: 'input_rejected' },
    ],
    [
      'alibaba: unknown',
      'alibaba',
      { taskId: '1' },
      [200, { output: { task_id: '1', task_status: 'UNKNOWN' } }],
      { kind: 'pending' },
    ],
    [
      ...(['xai: moderation', 'xai', { requestId: '1' }] as const),
      [
        200,
        {
          status: 'done',
          video: { url: 'https://files.example/1.mp4', respect_moderation: false },
        },
      ],
      { kind: 'failed', code: 'output_rejected' },
    ],
    ['xai: 503', 'xai', { requestId: '1' }, html(503), { kind: 'fault' }],
  ];

  test.each(looks)('%s', async (_, name, job, given, expected) => {
    expect(await server().lookAt(name, job, given)).toMatchObject(expected);
  });

  test('google’s key, which the package puts into the file’s URL, is only used to fetch it', async () => {
    const uri = 'https://generativelanguage.googleapis.com/v1beta/files/1:download?alt=media';
    const look = await server().lookAt(
      ...(['google', operation] as const),
      done({ generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }),
      { mediaHosts: ['generativelanguage.googleapis.com'] },
    );
    server().given = (response) =>
      response.writeHead(302, { location: 'https://evil.example/' }).end();
    const output = look.kind === 'completed' ? look.outputs[0] : undefined;
    const failure = String(await readOutput(output).catch((error: unknown) => error));
    expect(failure).toContain('not in mediaHosts');
    expect(failure).not.toContain('secret-key');
    expect(JSON.stringify(look)).not.toContain('secret-key');
    expect(server().got.at(-1)?.path).toContain('key=secret-key');
  });
});
