import { describe, expect, test } from '@jest/globals';
import type { PackageName } from './packageFixtures.ts';
import { readOutput } from './routeFixtures.ts';
import { type FakeResponse, useVerdictServer } from './verdictFixtures.ts';

const server = useVerdictServer();

const replicateJob = { getUrl: 'https://api.replicate.com/v1/predictions/1' };
const prediction = { id: '1', urls: { get: replicateJob.getUrl } };

describe('a poll through the other packages', () => {
  const operation = { operationName: 'models/veo/operations/1' };
  const done = (response: object) =>
    [200, { name: operation.operationName, done: true, response }] as [number, object];
  const polls: [string, PackageName, unknown, FakeResponse, object][] = [
    [
      'google: 500',
      'google',
      operation,
      [500, { error: { code: 500, message: 'x', status: 'INTERNAL' } }],
      { kind: 'fault' },
    ],
    ['google: no samples', 'google', operation, done({}), { kind: 'fault', isFinished: true }],
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
      'replicate: no output',
      'replicate',
      replicateJob,
      [200, { ...prediction, status: 'succeeded' }],
      { kind: 'fault', isFinished: true },
    ],
    [
      'replicate: an unknown word for finished',
      'replicate',
      replicateJob,
      [200, { ...prediction, status: 'completed', output: 'https://files.example/1.mp4' }],
      { kind: 'completed', outputs: [{}] },
    ],
    [
      'replicate: the same without a file',
      'replicate',
      replicateJob,
      [200, { ...prediction, status: 'completed' }],
      { kind: 'fault', isFinished: true },
    ],
    [
      'replicate: an unknown job',
      'replicate',
      replicateJob,
      [404, { detail: 'not found' }],
      { kind: 'fault', isFinished: true },
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
      ...(['xai: done without a video', 'xai', { requestId: '1' }] as const),
      [200, { status: 'done', video: { url: '', respect_moderation: true } }],
      { kind: 'fault', isFinished: true },
    ],
    [
      ...(['xai: expired', 'xai', { requestId: '1' }] as const),
      [200, { status: 'expired' }],
      { kind: 'failed', code: 'generation_failed' },
    ],
  ];

  test.each(polls)('%s', async (_, name, job, given, expected) => {
    expect(await server().poll(name, job, given)).toMatchObject(expected);
  });

  test("google's key, which the package puts into the file's URL, is only used to fetch it", async () => {
    const uri = 'https://generativelanguage.googleapis.com/v1beta/files/1:download?alt=media';
    const poll = await server().poll(
      ...(['google', operation] as const),
      done({ generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }),
      { mediaHosts: ['generativelanguage.googleapis.com'] },
    );
    server().given = (response) =>
      response.writeHead(302, { location: 'https://evil.example/' }).end();
    const output = poll.kind === 'completed' ? poll.outputs[0] : undefined;
    const failure = String(await readOutput(output).catch((error: unknown) => error));
    expect(failure).toContain('not in mediaHosts');
    expect(failure).not.toContain('secret-key');
    expect(JSON.stringify(poll)).not.toContain('secret-key');
    expect(server().got.at(-1)?.path).toContain('key=secret-key');
  });
});
