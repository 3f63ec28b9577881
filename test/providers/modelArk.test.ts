import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from 'node:net';
import type { ProviderHealth } from '../../gateway/src/domain/breaker.ts';
import type { AddressInfo } from 'node:net';
import type {
  PollResult,
  Route,
  Submission,
} from '../../gateway/src/application/ports/providers.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { Fault } from '../support/fakeArk/script.ts';
import { scriptFakeArk } from '../support/fakeArk/scriptFakeArk.ts';
import {
  closeRoutes,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
  wordOf,
  type Observed,
} from './routeFixtures.ts';
import { json, startTinyServer } from './tinyServer.ts';

let ark: FakeArk;
let route: Route;
let observed: Observed;

function provider(): object {
  return {
    ...{ kind: 'model-ark', baseURL: ark.baseURL, mediaHosts: [ark.mediaHost] },
    allowPrivateNetwork: true,
  };
}

beforeAll(async () => {
  ark = await startFakeArk();
  ({ route, observed } = await openRoute(provider(), 'seedance', { key: ark.apiKey }));
});

afterEach(() => {
  ark.reset();
  observed.errors.length = 0;
});

afterAll(async () => {
  await closeRoutes();
  await ark.close();
});

/** Submits and answers the handle of the accepted task. */
async function accept(): Promise<unknown> {
  const submission = await route.submit(videoRequest(), never);
  if (submission.kind !== 'accepted') throw new Error(JSON.stringify(submission));
  return submission.operation;
}

const poll = (operation: unknown): Promise<PollResult> =>
  route.poll(operation, videoRequest(), never);

describe('a video by ModelArk', () => {
  test('is submitted, polled and fetched', async () => {
    const operation = await accept();
    expect(await poll(operation)).toEqual({ kind: 'pending' });
    const done = await poll(operation);
    expect(done.kind).toBe('completed');
    const [output] = done.kind === 'completed' ? done.outputs : [];
    const bytes = await readOutput(output);
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
    expect(await readOutput(output)).toEqual(bytes);
    expect(ark.accepted('a quiet lake')).toBe(1);
  });

  test('is asked for with every parameter, and without a watermark', async () => {
    const parameters = { duration_seconds: 9, resolution: '1080p', aspect_ratio: '9:16' } as const;
    await route.submit(videoRequest({ ...parameters, generate_audio: true }), never);
    expect(ark.submitted()).toMatchObject([
      {
        model: 'seedance',
        prompt: 'a quiet lake',
        fields: {
          ...{ ratio: '9:16', resolution: '1080p', duration: 9, seed: 7 },
          ...{ generate_audio: true, watermark: false },
        },
      },
    ]);
    expect(observed).toEqual({ errors: [] });
  });

  test.each(['16:9', '9:16', '1:1', '4:3', '21:9'] as const)('is 4k at %s', async (ratio) => {
    const { route: own } = await openRoute(provider(), 'dreamina-seedance-2-0-260128', {
      key: ark.apiKey,
    });
    const request = videoRequest({ resolution: '2160p', aspect_ratio: ratio });
    expect(own.covers(request)).toBe(true);
    expect((await own.submit(request, never)).kind).toBe('accepted');
    expect(ark.submitted()).toMatchObject([{ fields: { ratio, resolution: '4k' } }]);
  });

  test('has the roles of its inputs', async () => {
    const served = await startTinyServer((_, response) => response.end('a picture'));
    const url = () => `${served.origin}/in.png`;
    const given = (...inputs: Parameters<typeof input>[]) =>
      inputs.map((each) => ({ ...input(...each), url }));
    const roles = async (mode: string, inputs: ReturnType<typeof given>) => {
      ark.reset();
      const submission = await route.submit(videoRequest({}, { mode, inputs }), never);
      expect(submission.kind).toBe('accepted');
      return ark.submitted()[0]?.inputs.map(({ kind, role, bytes }) => [kind, role, bytes]);
    };
    expect(await roles('image-to-video', given(['first_frame']))).toEqual([['image', null, 9]]);
    expect(await roles('image-to-video', given(['first_frame'], ['last_frame']))).toEqual([
      ['image', 'first_frame', 9],
      ['image', 'last_frame', 9],
    ]);
    expect(
      await roles(
        'multimodal-to-video',
        given(['reference'], ['reference', 'video'], ['reference', 'audio']),
      ),
    ).toEqual([
      ['image', 'reference_image', 9],
      ['video', 'reference_video', 9],
      ['audio', 'reference_audio', 9],
    ]);
    await served.close();
  });

  test('takes the operator’s options, and those for real persons only in that mode', async () => {
    const { route: own } = await openRoute(provider(), 'seedance', {
      key: ark.apiKey,
      route: {
        options: { camera_fixed: true, seed: null },
        realPersonOptions: { service_tier: 'flex' },
      },
    });
    await own.submit(videoRequest(), never);
    await own.submit(videoRequest({ real_person_mode: true }), never);
    const [usual, realPerson] = ark.submitted().map(({ fields }) => fields);
    expect(usual).toMatchObject({ camera_fixed: true });
    expect(usual).not.toHaveProperty('service_tier');
    expect(usual).not.toHaveProperty('seed');
    expect(realPerson).toMatchObject({ camera_fixed: true, service_tier: 'flex' });
  });
});

test.each([
  [false, {}],
  [false, { realPersonOptions: {} }],
  [true, { realPersonOptions: { face_check: false } }],
  [true, { supports: { realPerson: true } }],
  [false, { realPersonOptions: { face_check: false }, supports: { realPerson: false } }],
])('real people are covered: %j with %j', async (isCovered, more) => {
  const { route: own } = await openRoute(provider(), 'seedance-1-5-pro-251215', { route: more });
  expect(own.covers(videoRequest({ real_person_mode: true }))).toBe(isCovered);
  expect(own.covers(videoRequest())).toBe(true);
});

/** What a refusal says about the provider. */
const success = { kind: 'success' } as const;
const failure = { kind: 'failure' } as const;

describe('a submit', () => {
  const busy = refusal(null, { kind: 'busy', retryAfterMs: null });
  const refusals: [string, Fault, Submission][] = [
    [
      'busy',
      { kind: 'error', status: 429, code: 'RateLimitExceeded', retryAfter: '3' },
      {
        kind: 'refused',
        code: null,
        busy: true,
        note: expect.stringContaining('429') as unknown as string,
        health: { kind: 'busy', retryAfterMs: 3_000 },
      },
    ],
    ['busy behind a proxy', { kind: 'html', status: 429 }, busy],
    [
      'overloaded, with a status of a proxy',
      { kind: 'error', status: 503, code: 'ServerOverloaded' },
      busy,
    ],
    [
      'a wrong key',
      { kind: 'error', status: 401, code: 'AuthenticationError' },
      refusal(null, { kind: 'key_failure' }),
    ],
    [
      'an overdue account',
      { kind: 'error', status: 403, code: 'AccountOverdueError' },
      refusal(null, failure),
    ],
    [
      'a closed model',
      { kind: 'error', status: 404, code: 'ModelNotOpen' },
      refusal(null, { kind: 'model_failure' }),
    ],
    ['a wrong parameter', { kind: 'error', status: 400, code: 'InvalidParameter' }, refusal(null)],
    [
      'a prompt that is not allowed',
      { kind: 'error', status: 400, code: 'InputTextSensitiveContentDetected' },
      refusal('input_rejected', success),
    ],
    [
      'a real person',
      { kind: 'error', status: 400, code: 'InputImageSensitiveContentDetected.PrivacyInformation' },
      refusal('real_person_rejected', success),
    ],
  ];

  test.each(refusals)('is refused: %s', async (_, fault, expected) => {
    ark.script({ on: 'submit', fault });
    expect(wordOf(await route.submit(videoRequest(), never))).toEqual(expected);
    expect(ark.accepted('')).toBe(0);
  });

  const unknowns: [string, Fault][] = [
    ['the answer is lost', { kind: 'accept, then', fault: { kind: 'drop' } }],
    ['the answer breaks off', { kind: 'accept, then', fault: { kind: 'cut' } }],
    ['500', { kind: 'error', status: 500, code: 'InternalServiceError' }],
    ['502 of a proxy', { kind: 'accept, then', fault: { kind: 'html', status: 502 } }],
    ['503', { kind: 'empty', status: 503 }],
    ['504', { kind: 'html', status: 504 }],
    ['400 of a proxy', { kind: 'html', status: 400 }],
    ['404 without a body', { kind: 'empty', status: 404 }],
    ['200 without an id', { kind: 'json', status: 200, body: {} }],
    ['200 with HTML', { kind: 'html', status: 200 }],
    ['a redirect', { kind: 'redirect', to: 'https://elsewhere.example/' }],
    ['a reset', { kind: 'drop' }],
  ];

  test.each(unknowns)('has an unknown outcome: %s', async (_, fault) => {
    ark.script({ on: 'submit', fault });
    expect((await route.submit(videoRequest(), never)).kind).toBe('unknown');
    // Nothing of it is repeated.
    expect(ark.submitted()).toHaveLength(1);
  });

  test('is definitely not accepted by a provider that is not there', async () => {
    const port = await freePort();
    const { route: gone } = await openRoute(
      { ...provider(), baseURL: `http://127.0.0.1:${String(port)}/api/v3` },
      'seedance',
    );
    expect(wordOf(await gone.submit(videoRequest(), never))).toEqual({
      ...{ kind: 'refused', code: null, busy: true, health: failure },
      note: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('goes over a connection of its own, while looks share one', async () => {
    const server = await startTinyServer((_, response) =>
      json(response, 200, { id: 'cgt-1', status: 'running' }),
    );
    const { route: counted } = await openRoute(
      { ...provider(), baseURL: server.origin },
      'seedance',
    );
    for (let i = 0; i < 3; i += 1) await counted.submit(videoRequest(), never);
    for (let i = 0; i < 3; i += 1) await counted.poll({ taskId: 'cgt-1' }, videoRequest(), never);
    const ports = (method: string) =>
      new Set(server.got.filter((got) => got.method === method).map(({ port }) => port));
    expect(ports('POST').size).toBe(3);
    expect(ports('GET').size).toBeLessThan(3);
    await server.close();
  });

  test('that we give up is neither accepted nor refused', async () => {
    const abort = new AbortController();
    ark.script({ on: 'submit', fault: { kind: 'hang' } });
    const submitted = route.submit(videoRequest(), abort.signal);
    await untilSubmitted();
    abort.abort(new Error('we stop'));
    await expect(submitted).rejects.toThrow('we stop');
  });

  test('names neither the key nor a URL to staff', async () => {
    const message = `Key ${ark.apiKey} may not read https://media.example/a?sig=1 today`;
    ark.script({
      on: 'submit',
      fault: { kind: 'error', status: 403, code: 'AccessDenied', message },
    });
    const submission = await route.submit(videoRequest(), never);
    const note = 'note' in submission ? submission.note : '';
    expect(note).toContain('Key <key> may not read <url> today');
  });
});

describe('a look', () => {
  const faults: [string, Fault][] = [
    ['500', { kind: 'error', status: 500, code: 'InternalServiceError' }],
    ['502 of a proxy', { kind: 'html', status: 502 }],
    ['429', { kind: 'error', status: 429, code: 'RateLimitExceeded' }],
    ['401', { kind: 'error', status: 401, code: 'AuthenticationError' }],
    ['404', { kind: 'error', status: 404, code: 'NotFound' }],
    [
      'an error about content that is not the job’s',
      { kind: 'error', status: 400, code: 'OutputVideoSensitiveContentDetected' },
    ],
    ['200 with HTML', { kind: 'html', status: 200 }],
    ['200 with nothing', { kind: 'empty', status: 200 }],
    [
      '200 with a status that nobody knows',
      { kind: 'json', status: 200, body: { status: 'paused' } },
    ],
    ['an answer that breaks off', { kind: 'cut' }],
    ['a reset', { kind: 'drop' }],
    ['a redirect', { kind: 'redirect', to: 'https://elsewhere.example/' }],
  ];

  test.each(faults)('that meets a fault gives no verdict: %s', async (_, fault) => {
    const operation = await accept();
    ark.script({ on: 'look', fault, times: 1 });
    expect((await poll(operation)).kind).toBe('fault');
    expect((await poll(operation)).kind).toBe('pending');
  });

  test('that reaches nobody gives no verdict', async () => {
    const { route: gone } = await openRoute(
      { ...provider(), baseURL: `http://127.0.0.1:${String(await freePort())}/api/v3` },
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
    ['succeeded without a video', ['succeeded without a video'], 'generation_failed'],
  ];

  test.each(verdicts)('finds a job that has %s', async (_, given, code) => {
    ark.script({ on: 'task', plan: plan(...given) });
    expect(await poll(await accept())).toMatchObject({ kind: 'failed', code });
  });

  test('that we give up throws', async () => {
    const operation = await accept();
    ark.script({ on: 'look', fault: { kind: 'hang' } });
    const abort = new AbortController();
    const polled = route.poll(operation, videoRequest(), abort.signal);
    setImmediate(() => abort.abort(new Error('we stop')));
    await expect(polled).rejects.toThrow('we stop');
  });
});

describe('a finished file', () => {
  async function finished() {
    ark.script({ on: 'task', plan: { looks: 0, end: 'succeeded' } });
    const done = await poll(await accept());
    if (done.kind !== 'completed') throw new Error(JSON.stringify(done));
    return done.outputs[0];
  }

  const faults: [string, Fault, string][] = [
    ['is gone', { kind: 'empty', status: 404 }, 'status 404'],
    ['is a page', { kind: 'html', status: 200 }, 'not a media file'],
    [
      'lies on a host that the operator has not named',
      { kind: 'redirect', to: 'https://elsewhere.example/' },
      'not in mediaHosts',
    ],
    ['breaks off', { kind: 'cut' }, ''],
    ['is never sent', { kind: 'drop' }, ''],
  ];

  test.each(faults)(
    'that %s fails its transfer, and may be had later',
    async (_, fault, message) => {
      const output = await finished();
      ark.script({ on: 'media', fault, times: 1 });
      const failure: unknown = await readOutput(output).catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: 'unreachable' });
      expect(String(failure)).toContain(message);
      expect((await readOutput(output)).byteLength).toBeGreaterThan(1000);
    },
  );

  test('without an end is left by its reader', async () => {
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

  test('is not fetched at all from a host that is not named', async () => {
    const { route: strict } = await openRoute(
      { ...provider(), mediaHosts: ['*.media.example'] },
      'seedance',
      { key: ark.apiKey },
    );
    ark.script({ on: 'task', plan: { looks: 0, end: 'succeeded' } });
    const done = await strict.poll(await accept(), videoRequest(), never);
    await expect(
      readOutput(done.kind === 'completed' ? done.outputs[0] : undefined),
    ).rejects.toThrow('not in mediaHosts');
    expect(ark.submitted()[0]?.downloads).toBe(0);
  });
});

test('another process can script the fake and read what it got', async () => {
  const other = scriptFakeArk(ark.origin);
  await other.script({ on: 'submit', fault: { kind: 'empty', status: 500 }, times: 1 });
  expect((await route.submit(videoRequest(), never)).kind).toBe('unknown');
  expect((await route.submit(videoRequest(), never)).kind).toBe('accepted');
  expect((await other.submitted()).map(({ taskId }) => taskId === null)).toEqual([true, false]);
  expect(await other.reset()).toEqual([]);
});

function refusal(
  code: Extract<Submission, { kind: 'refused' }>['code'],
  health?: ProviderHealth,
): Submission {
  const note = expect.any(String) as unknown as string;
  return { kind: 'refused', code, busy: health?.kind === 'busy', note, ...(health && { health }) };
}

function plan(
  end: 'failed' | 'cancelled' | 'expired' | 'succeeded without a video',
  code?: string,
) {
  return { looks: 0, end, ...(code ? { error: { code, message: 'The request failed.' } } : {}) };
}

async function untilSubmitted(): Promise<void> {
  while (ark.submitted().length === 0) await new Promise((resolve) => setImmediate(resolve));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
