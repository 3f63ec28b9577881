import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifySubmission } from './classifySubmission.ts';
import type { Exchange } from './exchanges.ts';
import { arkDialect } from './modelArk/modelArk.ts';
import type { FailureRules } from './providerFailures.ts';

const rules: FailureRules = {
  apiKey: 'secret-key',
  operatorRules: [{ match: 'too spicy', code: 'output_rejected' }],
  defaultRules: arkDialect.defaultRules,
};

/** A submit that was sent, and its response. */
function sent(status: number | null, body: string | object | null = null): Exchange {
  return {
    method: 'POST',
    host: 'api.example',
    isSent: true,
    status,
    body: typeof body === 'object' && body !== null ? JSON.stringify(body) : body,
    failure: status === null ? 'ECONNRESET: socket hang up' : null,
  };
}

const unsent: Exchange = { ...sent(null), isSent: false, failure: 'ECONNREFUSED: no' };
const own = (message = 'No.') => ({ error: { code: 'InvalidParameter', message } });
const html = '<html>Forbidden: flagged as sensitive</html>';

/** Outcomes of submissions and their meanings, as data. */
const table: [string, Exchange[], string][] = [
  ['nothing was asked for', [], 'refused'],
  ['DNS, connect or TLS failed', [unsent], 'refused, busy'],
  ['429', [sent(429, own())], 'refused, busy'],
  ['429 of a proxy', [sent(429, html)], 'refused, busy'],
  ['429 about content', [sent(429, own('flagged as sensitive'))], 'refused, busy'],
  ['a wrong key, whoever says it', [sent(401, html)], 'refused'],
  ['no credit, whoever says it', [sent(402, '')], 'refused'],
  ...[400, 403, 404, 405, 410, 418, 422, 451].flatMap((status): [string, Exchange[], string][] => [
    [`${status} with the provider's error`, [sent(status, own())], 'refused'],
    [`${status} with HTML`, [sent(status, html)], 'unknown'],
    [`${status} with nothing`, [sent(status, '')], 'unknown'],
    [`${status} with other JSON`, [sent(status, { hello: 1 })], 'unknown'],
    [`${status} with a JSON list`, [sent(status, '["error"]')], 'unknown'],
  ]),
  ['413, an input that is too large', [sent(413, own())], 'refused: input_invalid'],
  ...[300, 302, 408, 409, 425, 500, 501, 502, 503, 504, 520, 529, 200, 201, 204].map(
    (status): [string, Exchange[], string] => [String(status), [sent(status, own())], 'unknown'],
  ),
  ['500 with common words', [sent(500, own('insufficient balance'))], 'unknown'],
  ['200 with a refusal of the key', [sent(200, own('invalid api key'))], 'refused'],
  ['200 with refused content', [sent(200, own('content policy'))], 'refused: input_rejected'],
  [
    '200 with a task and words on the account',
    [sent(200, { task_id: 't', message: 'insufficient balance' })],
    'unknown',
  ],
  ['a reset or a timeout after sending', [sent(null)], 'unknown'],
  ['a response that broke off', [{ ...sent(200), failure: 'terminated' }], 'unknown'],
  ['a refusal that broke off', [{ ...sent(400), failure: 'terminated' }], 'unknown'],
  [
    '503 with a declared code',
    [sent(503, { error: { code: 'ServerOverloaded' } })],
    'refused, busy',
  ],
  [
    '200 with a declared code',
    [sent(200, { error: { code: 'ServerOverloaded' } })],
    'refused, busy',
  ],
  ['refused content', [sent(400, own('was flagged as sensitive'))], 'refused: input_rejected'],
  ['refused content, 403', [sent(403, own('content policy'))], 'refused: input_rejected'],
  ['words on content with a wrong key', [sent(401, own('content policy'))], 'refused'],
  ['words on content without credit', [sent(402, own('content policy'))], 'refused'],
  ["the operator's rule", [sent(422, own('Too spicy!'))], 'refused: output_rejected'],
  ['an upload, then a refusal', [sent(200), sent(400, own())], 'refused'],
  ['an upload, then no connection', [sent(200), unsent], 'unknown'],
  [
    'a submit, then a poll that failed',
    [sent(200), { ...sent(404, own()), method: 'GET' }],
    'unknown',
  ],
  ['a download for the submit that failed', [{ ...sent(404, own()), method: 'GET' }], 'refused'],
];

describe('a failed submission', () => {
  test.each(table)('%s', (_, exchanges, expected) => {
    const found = classifySubmission({ error: new Error('thrown'), exchanges }, rules);
    const result =
      found.kind === 'unknown'
        ? 'unknown'
        : `refused${found.code === null ? '' : `: ${found.code}`}${found.isBusy ? ', busy' : ''}`;
    expect(result).toBe(expected);
    expect(found.note).not.toBe('');
  });

  test.each([
    [400, 'No.', 'refusal'],
    [422, 'No.', 'refusal'],
    [401, 'The model is unknown.', 'key'],
    [402, 'No.', 'account'],
    [403, 'Your balance is exhausted.', 'account'],
    [403, 'No.', 'refusal'],
    [403, 'Your project has no access to the model x.', 'model_gone'],
    [403, 'This endpoint is closed.', 'model_gone'],
    [403, 'The model says: flagged as sensitive', 'success'],
    [404, 'No.', 'model_gone'],
    [410, 'It is shut down.', 'model_gone'],
    [404, 'The image at this URL was not found.', 'refusal'],
    [404, 'No such model for this image.', 'model_gone'],
    [413, 'No.', 'success'],
    [429, 'No.', 'busy'],
    [429, 'You exceeded your current quota, please check your plan.', 'account'],
  ])('with %i "%s" says of its route: %s', (status, message, expected) => {
    const exchanges = [sent(status, own(message))];
    const found = classifySubmission({ error: null, exchanges }, rules);
    expect(found).toMatchObject({ kind: 'refused', health: { kind: expected } });
  });

  test('never takes words of the prompt for words about the operator', () => {
    const prompt = 'Sign with "invalid api key, insufficient balance, the model was not found"';
    const exchanges = [sent(400, own(`Your text is too long: ${prompt}`))];
    const found = classifySubmission({ error: null, exchanges, words: ['A sign', prompt] }, rules);
    expect(found).toMatchObject({ kind: 'refused', code: null, health: { kind: 'refusal' } });
    expect(JSON.stringify(found)).not.toContain('Sign with');
  });

  test('is identical if only ids, numbers and quotations differ', () => {
    const saidFor = (message: string, status = 400) => {
      const exchanges = [sent(status, own(message))];
      const found = classifySubmission({ error: null, exchanges }, rules);
      return 'health' in found && found.health.kind === 'refusal' ? found.health.said : null;
    };
    const first = saidFor('Request 1a2b of "x" denied at 12:00.');
    expect(first).not.toBeNull();
    expect(saidFor('Request 99ff of "y z" denied at 13:37.')).toBe(first);
    expect(saidFor('Request 1a2b of "x" denied at 12:00.', 422)).not.toBe(first);
    expect(saidFor('Denied.')).not.toBe(first);
  });

  test.each([
    [400, 'No.', 'generation_failed'],
    [422, 'No.', 'generation_failed'],
    [400, 'API key not valid. Please pass a valid API key.', null],
    [400, 'User location is not supported for the API use.', null],
    [403, 'No.', null],
    [404, 'No.', null],
    [410, 'No.', null],
  ])(
    'as one call with %i "%s" ends with %p: the work may have been done',
    (status, message, code) => {
      const exchanges = [sent(status, own(message))];
      const found = classifySubmission({ error: null, exchanges }, rules, true);
      expect(found).toMatchObject({ kind: 'refused', code });
    },
  );

  test.each([400, 401, 404, 429])(
    'with %i after an accepted order of images is no refusal: the POST may have been a poll',
    (status) => {
      const exchanges = [sent(200, { id: '1' }), sent(status, own())];
      const found = classifySubmission({ error: null, exchanges }, rules, true);
      expect(found.kind).toBe('unknown');
    },
  );

  test('that was sent counts as refused only with a refusing status, or with words', () => {
    const body = fc.option(fc.oneof(fc.string(), fc.json()));
    const undecided = [408, 409, 425];
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), body, (status, text) => {
        const found = classifySubmission({ error: null, exchanges: [sent(status, text)] }, rules);
        const isRefusing = status >= 400 && status < 500 && !undecided.includes(status);
        if (!isRefusing) expect(found.kind).toBe('unknown');
        else if (found.kind === 'refused') expect(found.isBusy).toBe(status === 429);
      }),
    );
  });

  test("shows staff the status and the provider's text, without the key, URLs or echoed input", () => {
    const body = {
      error: { code: 'Denied', message: 'secret-key may not use https://a.example/b?c=d' },
      input: { prompt: 'a private prompt' },
    };
    const { note } = classifySubmission({ error: null, exchanges: [sent(403, body)] }, rules);
    expect(note).toBe('403: Denied | <key> may not use <url>');
  });
});
