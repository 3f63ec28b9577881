import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type BflRoute, brief, empty, hang, useBflRoute } from './bflRoute.ts';
import { type BflResponse, give, type Plan, ready, task } from './fakeBfl.ts';
import { imageRequest, never, readOutput } from './routeFixtures.ts';
import { html, png, reset } from './tinyServer.ts';

const world = useBflRoute();
let { bfl, open, order } = {} as BflRoute;
beforeAll(() => {
  ({ bfl, open, order } = world());
});

const oddJson = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":');

describe('a task of Black Forest Labs that was accepted', () => {
  const verdicts: [string, BflResponse, string, string][] = [
    ['before it begins', task('Request Moderated'), 'input_rejected', 'Request Moderated'],
    [
      'with its reasons',
      task('Request Moderated', { details: { 'Moderation Reasons': ['Safety Filter'] } }),
      ...(['input_rejected', 'Safety Filter'] as const),
    ],
    ['after it is made', task('Content Moderated'), 'output_rejected', 'Content Moderated'],
    [
      'with other reasons',
      task('Content Moderated', { details: { 'Moderation Reasons': ['Safety Filter'] } }),
      ...(['output_rejected', 'Safety Filter'] as const),
    ],
    [
      'by a failure',
      task('Error', { details: { error: 'no GPU' } }),
      ...(['generation_failed', 'no GPU'] as const),
    ],
    ['by another', task('Failed'), 'generation_failed', 'Failed'],
    [
      'without a file',
      task('Ready', { result: {} }),
      'generation_failed',
      'Ready without a sample',
    ],
  ];

  test.each(verdicts)('ends: %s', async (_, poll, code, note) => {
    const { made, submits, polls, files } = await order({ polls: [task('Pending'), poll] });
    expect(made).toMatchObject({
      kind: 'refused',
      code,
      isBusy: false,
      note: expect.stringContaining(note),
    });
    // The package itself would keep polling for a minute after "Request Moderated".
    expect([submits, polls, files]).toEqual([1, 2, 0]);
  });

  test("ends as the operator's rules say", async () => {
    const errorRules = [{ match: 'likeness', code: 'real_person_rejected' }];
    const details = { 'Moderation Reasons': ['Likeness Filter'] };
    const polls = [task('Content Moderated', { details })];
    const { made } = await order({ polls }, { provider: { errorRules } });
    expect(made).toMatchObject({ kind: 'refused', code: 'real_person_rejected' });
  });

  const again: BflResponse = (response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end('{"detail":"Too many requests"}');
  };
  const faults: [string, BflResponse][] = [
    ['429', again],
    ['500', [500, { detail: 'Internal Server Error' }]],
    ['503 without a body', (response) => response.writeHead(503).end()],
    ['a page with 502', html(502)],
    ['a page with 200', html(200)],
    ['an empty response', empty],
    ['half a response', oddJson],
    ['a reset', reset],
    ['404', [404, { id: '1', status: 'Task not found' }]],
    ['a cluster that does not know it yet', task('Task not found')],
    ['a status that no one knows', task('Queued')],
  ];

  test.each(faults)('is polled again: %s', async (_, fault) => {
    const { made, submits, polls } = await order({ polls: [fault, task('Pending'), ready()] });
    expect([made.kind, submits, polls]).toEqual(['completed', 1, 3]);
  });

  const hopeless: [string, 'polls' | 'files', BflResponse][] = [
    ['that stays pending', 'polls', task('Pending')],
    ['whose polls hang', 'polls', hang],
    ['whose polls all fail', 'polls', [500, { detail: 'x' }]],
    ['that is never found', 'polls', task('Task not found')],
    ['whose file is gone', 'files', [404, {}]],
    ['whose file is a page', 'files', html(200)],
    ['whose file hangs', 'files', hang],
  ];

  test('has an unknown outcome at the end of its time, unless only its file is missing', async () => {
    const reached = new Set<string>();
    const plans = hopeless.map(([name, at, planned]): [string, Plan] => {
      const once: BflResponse = (response) => {
        reached.add(name);
        give(response, planned);
      };
      return [name, { [at]: [once] }];
    });
    bfl.plan = (prompt) => Object.fromEntries(plans)[prompt] ?? {};
    const { route } = await open('flux-2-pro', { imageTimes: brief });
    const orders = hopeless.map(([prompt]) => route.submit(imageRequest({}, { prompt }), never));
    const kinds = (await Promise.all(orders)).map(({ kind }) => kind);
    expect(kinds).toEqual(hopeless.map(([, at]) => (at === 'files' ? 'completed' : 'unknown')));
    // Each of them got this far, and none was ordered twice.
    expect([reached.size, bfl.servers.api.got.length]).toEqual([hopeless.length, hopeless.length]);
  });

  test('is not ended by the package, which gives up before us', async () => {
    bfl.plan = () => ({ polls: [task('Pending')] });
    const { route } = await open('flux-2-pro', { options: { pollTimeoutMillis: 5 } });
    expect((await route.submit(imageRequest(), never)).kind).toBe('unknown');
  });

  test('is downloaded again after a failure, and not ordered again', async () => {
    const half = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '9000' });
      response.write(png, () => response.destroy());
    };
    const whole = (response: ServerResponse): void =>
      void response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    const files = [[404, {}], half, html(200), empty, whole] satisfies BflResponse[];
    const { made, ...counts } = await order({ files });
    expect(await readOutput(made.kind === 'completed' ? made.outputs[0] : undefined)).toEqual(png);
    expect([counts.submits, counts.polls, counts.files]).toEqual([1, 2, 5]);
  });

  test('says whether its file failed or arrived', async () => {
    const lost = await order({ files: [[503, {}]] }, { imageTimes: brief });
    expect(lost.made).toMatchObject({ kind: 'completed', fetch: { hasWorked: false } });
    const { made } = await order({});
    expect(made).toMatchObject({ kind: 'completed', fetch: { hasWorked: true } });
    const polled = await order({ polls: [[503, {}]] }, { imageTimes: brief });
    expect([polled.made.kind, polled.made.fetch]).toEqual(['unknown', undefined]);
  });

  test('is not kept in memory when its file is endless', async () => {
    const chunk = Buffer.alloc(4 * 1024 * 1024);
    const endless = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const more = (): void => {
        if (!response.destroyed) response.write(chunk, () => setImmediate(more));
      };
      more();
    };
    const { made, submits, files } = await order({ files: [endless] });
    expect([made.kind, submits, files]).toEqual(['completed', 1, 1]);
  });

  test.each([
    ['its polls', { submit: [200, { id: '1', polling_url: 'https://evil.example/?id=1' }] }],
    ['its file', { polls: [ready('https://evil.example/1.png')] }],
  ] as [string, Plan][])('is not followed to an unlisted host: %s', async (_, plan) => {
    const rewriteOrigins = { ...bfl.rewriteOrigins, 'https://other.example': 'https://x.example' };
    const { made, submits } = await order(plan, { provider: { rewriteOrigins } });
    expect([made.kind, submits]).toEqual(['unknown', 1]);
    expect(made.kind === 'unknown' && made.note).toContain('not in mediaHosts');
  });

  test('throws when it is aborted', async () => {
    const abort = new AbortController();
    const polls: BflResponse[] = [() => abort.abort(new Error('we stop'))];
    bfl.plan = () => ({ polls });
    const { route } = await open();
    await expect(route.submit(imageRequest(), abort.signal)).rejects.toThrow('we stop');
  });
});
