import { describe, expect, test } from '@jest/globals';
import { reportRows } from '../support/reportRows.ts';
import {
  contextOf,
  type LightApi,
  type LightResponse,
  operations,
  parameterTables,
  refused,
  refusing,
  runLight,
  type Values,
  wholeApi,
} from './support/lightNode.ts';
import { loadSource, shownOf } from './support/loadSource.ts';

/* Reports of users of other nodes, tried on this one: integrations/n8n/docs/field.md has the sources. */

const names = Object.keys(operations);
const create = 'video:create';
const order = (more: Values = {}) => parameterTables(create, { download: false, ...more });

/** An API that gives this response to the requests that begin like this. */
function answering(beginning: string, response: LightResponse): LightApi {
  return (request, body) => (request.startsWith(beginning) ? response : wholeApi(request, body));
}

/** The message of a create request when the network fails; its deadline is over at once, so nothing is repeated. */
async function saidWithout(message: string): Promise<string> {
  const { sendCreate } = await loadSource<{
    sendCreate: (context: object, order: object, plan: object) => Promise<unknown>;
  }>('nodes/Framegate/actions/sendCreate.ts');
  const config = { headers: { Authorization: 'Bearer fg_live_secret' } };
  const { context } = contextOf([], {
    api: () => {
      throw Object.assign(new Error(message), { code: message.split(' ')[1], config });
    },
  });
  const plan = { idempotencyKey: 'key-1', itemIndex: 0, deadline: 0 };
  const sent = sendCreate(context, { path: '/videos', body: {} }, plan);
  const said = shownOf(await sent.catch((error: unknown) => error));
  return `${said.message}. ${said.description}`;
}

describe('several items', () => {
  test.each(names)(
    '%s reads every parameter of each item, not those of the first',
    async (name) => {
      const { read, items } = await runLight([0, 1, 2].map(() => parameterTables(name)));
      const onlyFirst = [...read].filter(([, indexes]) => indexes.size < 3).map(([field]) => field);
      expect(onlyFirst.toSorted()).toEqual(['operation', 'resource']);
      expect(items.length).toBeGreaterThanOrEqual(3);
    },
  );

  test('have prompts from their own expressions', async () => {
    const { requests } = await runLight(['one', 'two'].map((prompt) => order({ prompt })));
    expect(requests.map(({ body }) => body['prompt'])).toEqual(['one', 'two']);
  });

  test.each(names)('%s pairs each output with its input, also of a failed item', async (name) => {
    for (const api of [wholeApi, refusing(401, 'invalid_api_key')]) {
      const { items } = await runLight(
        [0, 1].map(() => parameterTables(name)),
        {
          api,
          continueOnFail: true,
        },
      );
      expect(new Set(items.map(({ pairedItem }) => pairedItem?.item))).toEqual(new Set([0, 1]));
    }
  });

  test.each(names)('%s hands a refusal on as an error item, never as a success', async (name) => {
    const { items, error } = await runLight([parameterTables(name)], {
      api: refusing(401, 'invalid_api_key'),
      continueOnFail: true,
    });
    expect(error).toBe('');
    // n8n sends an item with these keys alone to the error output.
    expect(items.map(({ json }) => Object.keys(json).toSorted())).toEqual([['details', 'error']]);
  });

  test('are still made after a failed one', async () => {
    const api: LightApi = (request, body) =>
      body['prompt'] === 'bad' ? refused(400, 'content_policy_violation') : wholeApi(request, body);
    const { items } = await runLight(
      ['a', 'bad', 'c'].map((prompt) => order({ prompt })),
      { api, continueOnFail: true },
    );
    expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
  });
});

describe('a create', () => {
  test.each([
    [create, ['mode', 'model', 'prompt']],
    ['image:create', ['model', 'prompt']],
  ])('%s sends no unset option, which the model may not know', async (name, sent) => {
    const { requests } = await runLight([parameterTables(name, { download: false })]);
    expect(requests.map(({ body }) => Object.keys(body).toSorted())).toEqual([sent]);
  });

  test.each(['inputs.values', 'parameters', 'prompt', 'model', 'options'])(
    'refuses an odd value of %s by the name of its field, or takes it as text',
    async (field) => {
      const odd = [7, true, {}, ['x'], [7], () => 1, Symbol.iterator, new Date(0), 10n];
      for (const value of odd) {
        const { error } = await runLight([order({ mode: 'image-to-video', [field]: value })]);
        expect(error).not.toMatch(/is not a function|Cannot |undefined|\[object|unexpected/i);
      }
    },
  );

  test('repeated by an error output that leads back is paid once with its own key', async () => {
    const own = order({ options: { idempotencyKey: 'row-7' } });
    const keysOf = async (params: Values) => {
      const runs = [0, 1].map((runIndex) => runLight([params], { runIndex }));
      return (await Promise.all(runs)).flatMap(({ requests }) => requests.map(({ key }) => key));
    };
    expect(new Set(await keysOf(own))).toEqual(new Set(['row-7']));
    expect(new Set(await keysOf(order())).size).toBe(2);
  });

  test.each([
    ['the content of a file', `data:image/png;base64,${'A'.repeat(400_000)}`],
    ['the name of a binary field', 'data'],
    ['a path', '/home/node/cat.png'],
    ['a binary value', { mimeType: 'image/png', data: 'AAAA' }],
  ])('with %s in place of an address explains where to put the file', async (_what, url) => {
    const inputs = { mode: 'image-to-video', 'inputs.values': [{ url }] };
    const { error, requests } = await runLight([order(inputs)]);
    expect(error).toMatch(/^URL must be the https address of a file\. .*storage/);
    expect(error.length).toBeLessThan(500);
    expect(requests).toEqual([]);
  });

  test('returns addresses, and no file content among the fields', async () => {
    const { items } = await runLight([parameterTables(create, { download: true })]);
    expect(items[0]?.json).toMatchObject({ url: 'https://files.example.com/0' });
    expect(JSON.stringify(items[0]?.json)).not.toMatch(/base64|b64_json/);
  });
});

describe('an error', () => {
  const told = async (response: LightResponse) =>
    (await runLight([order()], { api: answering('POST', response) })).error;

  test.each([502, 503, 504])('for a page with %i shows none of its markup', async (statusCode) => {
    const page = `<!DOCTYPE html><html><head><title>${statusCode}</title></head></html>`;
    expect(await told({ statusCode, body: page })).not.toMatch(/[<>]|DOCTYPE/);
  });

  test('gives the reason of the API, not the name of its status', async () => {
    const message = 'parameters.duration_seconds: alpha-2.0-mini takes 3 to 15 seconds.';
    const details = [{ param: 'parameters.duration_seconds', message: message.split(': ')[1] }];
    const body = { error: { code: 'invalid_request', message, details } };
    expect(await told({ statusCode: 400, body })).toMatch(
      /^Duration \(Seconds\): alpha-2\.0-mini takes 3 to 15 seconds/,
    );
  });

  test.each(['connect ECONNREFUSED 127.0.0.1:3000', 'connect ECONNREFUSED ::1:3000'])(
    'of %s explains what localhost is in Docker',
    async (message) => {
      expect(await saidWithout(message)).toMatch(
        /could not be reached\. Open Credentials .*host\.docker\.internal/,
      );
    },
  );

  test('of the network shows neither the key nor the request', async () => {
    const error = await saidWithout('getaddrinfo ENOTFOUND media.example.com');
    expect(error).toContain('Open Credentials');
    expect(error).not.toMatch(/fg_live|docker/);
  });
});

test('every row of the page with the sources names a test, or the reason why it cannot happen', () => {
  const { count, unproven } = reportRows('n8n');
  expect(count).toBeGreaterThan(15);
  expect(unproven).toEqual([]);
});
