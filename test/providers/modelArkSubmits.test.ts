import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ProviderHealth, Submission } from '@framegate/provider-routes';
import {
  never,
  openRoute,
  videoRequest,
  wordOf,
} from '../../gateway/providers/test/routeFixtures.ts';
import { json, startTinyServer } from '../../gateway/providers/test/tinyServer.ts';
import type { Fault } from '../support/fakeArk/script.ts';
import { freePort } from '../support/freePort.ts';
import { until } from '../support/until.ts';
import { type ArkRoute, useArkRoute } from './arkRoute.ts';

const world = useArkRoute();
let { ark, route, provider } = {} as ArkRoute;
beforeAll(() => {
  ({ ark, route, provider } = world());
});

/** Meaning of a refusal for the provider. */
const success = { kind: 'success' } as const;
const failure = { kind: 'failure' } as const;

describe('a submission', () => {
  const busy = refusal(null, { kind: 'busy', retryAfterMs: null });
  const refusals: [string, Fault, Submission][] = [
    [
      'busy',
      { kind: 'error', status: 429, code: 'RateLimitExceeded', retryAfter: '3' },
      {
        kind: 'refused',
        code: null,
        isBusy: true,
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
      refusal(null, { kind: 'key' }),
    ],
    [
      'an overdue account',
      { kind: 'error', status: 403, code: 'AccountOverdueError' },
      refusal(null, { kind: 'account' }),
    ],
    [
      'a closed model',
      { kind: 'error', status: 404, code: 'ModelNotOpen' },
      refusal(null, { kind: 'model_gone' }),
    ],
    [
      'a wrong parameter',
      { kind: 'error', status: 400, code: 'InvalidParameter' },
      refusal(null, { kind: 'refusal', said: expect.any(String) as unknown as string }),
    ],
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
    ['the response is lost', { kind: 'accept, then', fault: { kind: 'drop' } }],
    ['the response breaks off', { kind: 'accept, then', fault: { kind: 'cut' } }],
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
    // No part of it is repeated.
    expect(ark.submitted()).toHaveLength(1);
  });

  test('is definitely not accepted by an unreachable provider', async () => {
    const port = await freePort();
    const { route: gone } = await openRoute(
      { ...provider, baseURL: `http://127.0.0.1:${String(port)}/api/v3` },
      'seedance',
    );
    expect(wordOf(await gone.submit(videoRequest(), never))).toEqual({
      kind: 'refused',
      code: null,
      isBusy: true,
      health: failure,
      note: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('uses its own connection, while polls share one', async () => {
    const server = await startTinyServer((_, response) =>
      json(response, 200, { id: 'cgt-1', status: 'running' }),
    );
    const { route: counted } = await openRoute({ ...provider, baseURL: server.origin }, 'seedance');
    for (let i = 0; i < 3; i += 1) await counted.submit(videoRequest(), never);
    for (let i = 0; i < 3; i += 1) await counted.poll({ taskId: 'cgt-1' }, videoRequest(), never);
    const ports = (method: string) =>
      new Set(server.got.filter((got) => got.method === method).map(({ port }) => port));
    expect(ports('POST').size).toBe(3);
    expect(ports('GET').size).toBeLessThan(3);
    await server.close();
  });

  test('that is aborted is neither accepted nor refused', async () => {
    const abort = new AbortController();
    ark.script({ on: 'submit', fault: { kind: 'hang' } });
    const submitted = route.submit(videoRequest(), abort.signal);
    await until(() => ark.submitted().length === 1);
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

function refusal(
  code: Extract<Submission, { kind: 'refused' }>['code'],
  health?: ProviderHealth,
): Submission {
  const note = expect.any(String) as unknown as string;
  return {
    kind: 'refused',
    code,
    isBusy: health?.kind === 'busy',
    note,
    ...(health && { health }),
  };
}
