import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  never,
  openRoute,
  readOutput,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import type { Fault } from '../support/fakeArk/script.ts';
import { freePort } from '../support/freePort.ts';
import { type ArkRoute, useArkRoute } from './arkRoute.ts';

const world = useArkRoute();
let { ark, route, provider, accept, poll } = {} as ArkRoute;
beforeAll(() => {
  ({ ark, route, provider, accept, poll } = world());
});

describe('a poll', () => {
  const faults: [string, Fault][] = [
    ['500', { kind: 'error', status: 500, code: 'InternalServiceError' }],
    ['502 of a proxy', { kind: 'html', status: 502 }],
    ['429', { kind: 'error', status: 429, code: 'RateLimitExceeded' }],
    ['401', { kind: 'error', status: 401, code: 'AuthenticationError' }],
    ['404', { kind: 'error', status: 404, code: 'NotFound' }],
    [
      "an error about content that is not the job's",
      { kind: 'error', status: 400, code: 'OutputVideoSensitiveContentDetected' },
    ],
    ['200 with HTML', { kind: 'html', status: 200 }],
    ['200 with nothing', { kind: 'empty', status: 200 }],
    [
      '200 with a status that no one knows',
      { kind: 'json', status: 200, body: { status: 'paused' } },
    ],
    ['a response that breaks off', { kind: 'cut' }],
    ['a reset', { kind: 'drop' }],
    ['a redirect', { kind: 'redirect', to: 'https://elsewhere.example/' }],
  ];

  test.each(faults)('that meets a fault gives no verdict: %s', async (_, fault) => {
    const operation = await accept();
    ark.script({ on: 'poll', fault, times: 1 });
    expect((await poll(operation)).kind).toBe('fault');
    expect((await poll(operation)).kind).toBe('pending');
  });

  test('that reaches no server gives no verdict', async () => {
    const { route: gone } = await openRoute(
      { ...provider, baseURL: `http://127.0.0.1:${String(await freePort())}/api/v3` },
      'seedance',
    );
    expect((await gone.poll({ taskId: 'cgt-1' }, videoRequest(), never)).kind).toBe('fault');
  });

  const verdicts: [string, Parameters<typeof plan>, string][] = [
    ['failed', ['failed', 'InternalServiceError'], 'generation_failed'],
    [
      'failed for its content',
      ['failed', 'OutputVideoSensitiveContentDetected'],
      'output_rejected',
    ],
    [
      'failed for a real person',
      ['failed', 'InputVideoSensitiveContentDetected.PrivacyInformation'],
      'real_person_rejected',
    ],
    ['cancelled', ['cancelled'], 'generation_failed'],
    ['expired', ['expired'], 'generation_failed'],
  ];

  test.each(verdicts)('finds a job that has %s', async (_, given, code) => {
    ark.script({ on: 'task', plan: plan(...given) });
    expect(await poll(await accept())).toMatchObject({ kind: 'failed', code });
  });

  test('gives a successful job without a video time for it', async () => {
    ark.script({ on: 'task', plan: plan('succeeded without a video') });
    expect(await poll(await accept())).toMatchObject({ kind: 'fault', isFinished: true });
  });

  test('throws when aborted', async () => {
    const operation = await accept();
    ark.script({ on: 'poll', fault: { kind: 'hang' } });
    const abort = new AbortController();
    const polled = route.poll(operation, videoRequest(), abort.signal);
    setImmediate(() => abort.abort(new Error('we stop')));
    await expect(polled).rejects.toThrow('we stop');
  });
});

describe('a finished file', () => {
  async function finished() {
    ark.script({ on: 'task', plan: { polls: 0, end: 'succeeded' } });
    const done = await poll(await accept());
    if (done.kind !== 'completed') throw new Error(JSON.stringify(done));
    return done.outputs[0];
  }

  const faults: [string, Fault, string][] = [
    ['is gone', { kind: 'empty', status: 404 }, 'status 404'],
    [
      'lies on a host that the operator has not named',
      { kind: 'redirect', to: 'https://elsewhere.example/' },
      'not in mediaHosts',
    ],
    ['breaks off', { kind: 'cut' }, ''],
    ['is never sent', { kind: 'drop' }, ''],
  ];

  test.each(faults)(
    'that %s fails its transfer, and can be fetched later',
    async (_, fault, message) => {
      const output = await finished();
      ark.script({ on: 'media', fault, times: 1 });
      const failure: unknown = await readOutput(output).catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: 'unreachable' });
      expect(String(failure)).toContain(message);
      expect((await readOutput(output)).byteLength).toBeGreaterThan(1000);
    },
  );

  test('without an end is abandoned by its reader', async () => {
    const output = await finished();
    ark.script({ on: 'media', fault: { kind: 'endless' } });
    const abort = new AbortController();
    const data = await output?.read(abort.signal);
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of data as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > 5_000_000) abort.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
  });

  test('is not fetched from an unlisted host', async () => {
    const { route: strict } = await openRoute(
      { ...provider, mediaHosts: ['*.media.example'] },
      'seedance',
      { key: ark.apiKey },
    );
    ark.script({ on: 'task', plan: { polls: 0, end: 'succeeded' } });
    const done = await strict.poll(await accept(), videoRequest(), never);
    await expect(
      readOutput(done.kind === 'completed' ? done.outputs[0] : undefined),
    ).rejects.toThrow('not in mediaHosts');
    expect(ark.submitted()[0]?.downloads).toBe(0);
  });
});

function plan(
  end: 'failed' | 'cancelled' | 'expired' | 'succeeded without a video',
  code?: string,
) {
  return { polls: 0, end, ...(code ? { error: { code, message: 'The request failed.' } } : {}) };
}
