import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type Got,
  json,
  startTinyServer,
  type TinyServer,
} from '../../gateway/providers/test/tinyServer.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { image, video } from '../support/bodies.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { sampleFilm, samplePicture } from '../support/sampleMedia.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';

/*
 * One imperfect reading of a finished result is no verdict on it: a bad first response loses nothing, and permanently
 * bad responses have an end. The server is ModelArk, fal's images, OpenAI's, and their file host.
 */

type Send = (response: ServerResponse, file: Buffer, got: Got) => void;
const send =
  (status: number, headers: Record<string, string>, bodyOf: (file: Buffer) => Buffer): Send =>
  (response, file) =>
    response.writeHead(status, headers).end(bodyOf(file));
const whole: Send = (response, file) => response.end(file);
const notReady = Buffer.from('{"error":{"code":"video_not_ready"}}');

/** The file host's responses: the first one by the kind of the case, then the file. */
const firstResponses: Readonly<Record<string, Send>> = {
  'half the file': send(200, {}, (file) => file.subarray(0, file.length >> 1)),
  nothing: send(200, {}, () => Buffer.alloc(0)),
  'a text': send(200, { 'content-type': 'application/octet-stream' }, () => notReady),
  'a page': send(200, { 'content-type': 'text/html' }, () => Buffer.from('<html>Wait</html>')),
  'a redirect elsewhere': send(302, { location: 'https://elsewhere.example/' }, () => notReady),
  'a length that is a lie': (response) => {
    response.writeHead(200, { 'content-length': '4000000000' }).flushHeaders();
  },
  'another file': send(200, {}, () => Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(90)])),
};

/** Possible permanent responses to an order. */
const oddResponses: Readonly<Record<string, Send>> = {
  'labelled as text': send(200, { 'content-type': 'text/plain' }, (file) => file),
  'labelled as JSON': send(200, { 'content-type': 'application/json' }, (file) => file),
  'as a part': (response, file) =>
    response
      .writeHead(206, { 'content-range': `bytes 0-${file.length - 1}/${file.length}` })
      .end(file),
  'with another success': send(203, {}, (file) => file),
  packed: send(200, { 'content-encoding': 'gzip' }, (file) => gzipSync(file)),
  'to clients with a name': (response, file, { headers }) =>
    headers['user-agent']?.includes('Framegate') && headers.accept
      ? response.end(file)
      : response.writeHead(403).end('error code: 1010'),
};

let server: TinyServer;
let gateway: TestGateway;
let account: TestAccount;
/** The responses of the file host, by path. */
let hosted: Map<string, Send[]>;
/** The status of a ModelArk task, by its prompt; usually a finished file. */
let polls: Map<string, object[]>;
let fetched: Map<string, number>;

const pathOf = (name: string) => `/files/${encodeURIComponent(name)}`;
const fileUrl = (name: string) => `${server.origin}${pathOf(name)}`;
/** Packages refuse private addresses themselves. */
const pictureUrl = (body: unknown) => `https://files.example${pathOf(`picture ${promptOf(body)}`)}`;
const promptOf = (body: unknown) => /#([^#]+)#/.exec(JSON.stringify(body))?.[1] ?? 'plain';

async function respond(got: Got, response: ServerResponse): Promise<void> {
  const { method, path, body } = got;
  const name = decodeURIComponent(path.split('/').at(-1) ?? '');
  if (path.startsWith('/files/')) {
    const times = (fetched.get(name) ?? 0) + 1;
    fetched.set(name, times);
    const responses = hosted.get(name) ?? [whole];
    const isPicture = name.startsWith('picture');
    const file = await (isPicture ? samplePicture() : sampleFilm());
    (responses[times - 1] ?? responses.at(-1) ?? whole)(response, file, got);
  } else if (path === '/v1/images/generations') {
    json(response, 200, { created: 1, data: [{ url: pictureUrl(body) }] });
  } else if (path.startsWith('/fal-ai/')) {
    json(response, 200, { images: [{ url: pictureUrl(body) }] });
  } else if (method === 'POST') {
    json(response, 200, { id: promptOf(body) });
  } else {
    const said = polls.get(name) ?? [];
    const usual = { status: 'succeeded', content: { video_url: fileUrl(name) } };
    json(response, 200, { id: name, ...((said.length > 1 ? said.shift() : said[0]) ?? usual) });
  }
}

beforeAll(async () => {
  server = await startTinyServer((got, response) => void respond(got, response));
  const ark = arkProvider({ baseURL: `${server.origin}/api/v3`, mediaHost: server.host });
  const images = (name: string, factory: string, origin: string) => ({
    kind: 'ai-sdk',
    package: `@ai-sdk/${name}`,
    factory,
    apiKeyEnv: 'KEY',
    mediaHosts: ['files.example'],
    allowPrivateNetwork: true,
    rewriteOrigins: { [origin]: server.origin, 'https://files.example': server.origin },
  });
  const routes = {
    providers: {
      ark,
      fal: images('fal', 'createFal', 'https://fal.run'),
      openai: images('openai', 'createOpenAI', 'https://api.openai.com'),
    },
    models: {
      'alpha-2.0-mini': [{ provider: 'ark', model: 'seedance', does: statedVideo }],
      'image-b-2': [{ provider: 'fal', model: 'fal-ai/flux/dev' }],
      'image-a-2': [{ provider: 'openai', model: 'gpt-image-1' }],
    },
  };
  const env = { KEY: 'a-key', ARK_API_KEY: 'a-key' };
  gateway = await startRoutedGateway(routes, env);
  account = await gateway.addAccount({ credits: 1_000_000, limits: { running: 100 } });
});

afterAll(async () => {
  await gateway.stop();
  await server.close();
});

beforeEach(() => {
  [hosted, polls, fetched] = [new Map(), new Map(), new Map()];
});

async function order(
  kind: 'videos' | 'images',
  name: string,
  model = 'alpha-2.0-mini',
): Promise<string> {
  const fields = { prompt: `A lake #${name}#`, model };
  const body = kind === 'videos' ? video(fields) : image(fields);
  const { status, json: made } = await account.post(`/v1/${kind}`, body);
  expect([status, made['error']]).toEqual([202, undefined]);
  return String(made['id']);
}

/** Orders one of each case, and returns the cases that were not completed. */
async function lostOf(
  cases: Readonly<Record<string, Send>>,
  kind: 'videos' | 'images',
  model?: string,
): Promise<string[]> {
  const ended = await Promise.all(
    Object.keys(cases).map(async (name) => {
      const { status } = await account.untilEnded(await order(kind, name, model));
      return status === 'completed' ? [] : [name];
    }),
  );
  return ended.flat();
}

test.each([
  ['videos', 'alpha-2.0-mini', ''],
  ['images', 'image-b-2', 'picture '],
  ['images', 'image-a-2', 'picture '],
] as const)(
  'a bad first response, or an odd one, loses no result: %s of %s',
  async (kind, model, prefix) => {
    for (const [name, first] of Object.entries(firstResponses)) {
      hosted.set(`${prefix}${name}`, [first, whole]);
    }
    for (const [name, always] of Object.entries(oddResponses)) {
      hosted.set(`${prefix}${name}`, [always]);
    }
    expect(await lostOf({ ...firstResponses, ...oddResponses }, kind, model)).toEqual([]);
  },
);

test('a job is finished when its file exists, in whatever words', async () => {
  const [bytes] = [await sampleFilm()];
  const done = (name: string, status = 'succeeded') => ({
    status,
    content: { video_url: fileUrl(name) },
  });
  polls.set('late', [{ status: 'succeeded', content: { video_url: '' } }, done('late')]);
  polls.set('capitals', [done('capitals', 'SUCCEEDED')]);
  polls.set('another word', [{ status: 'completed', output: [fileUrl('another word')] }]);
  const inline = `data:video/mp4;base64,${bytes.toString('base64')}`;
  polls.set('inline', [{ status: 'succeeded', content: { video_url: inline } }]);
  expect(
    await lostOf(Object.fromEntries([...polls.keys()].map((name) => [name, whole])), 'videos'),
  ).toEqual([]);
});

test.each([
  ['a file that stays bad', 'invalid_output', 3],
  ['a film that stays too small', 'not_as_ordered', 3],
  ['a job that stays without a file', 'no_result', 0],
] as const)('%s has an end, with a refund and an alert', async (name, reason, reads) => {
  const small = await sampleFilm({ width: 320, height: 180, seconds: 5, sound: false });
  hosted.set(name, [
    reason === 'invalid_output'
      ? (firstResponses['half the file'] as Send)
      : send(200, {}, () => small),
  ]);
  if (reason === 'no_result') polls.set(name, [{ status: 'succeeded' }]);
  const id = await order('videos', name);
  expect(await account.untilEnded(id)).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed' },
    billing: { status: 'refunded' },
  });
  const found = await gateway.database.generations.find(id);
  expect(found?.attempts.at(-1)).toMatchObject({ lost: { reason } });
  expect(fetched.get(name) ?? 0).toBeGreaterThanOrEqual(reads);
  await until(() => gateway.errors.some((line) => line.includes(id) && line.includes('"alert"')));
});

test('a text in place of a file is never a verdict', async () => {
  hosted.set('never ready', [firstResponses['a text'] as Send]);
  const id = await order('videos', 'never ready');
  await until(() => (fetched.get('never ready') ?? 0) >= 4);
  const { json: found } = await account.get(`/v1/generations/${id}`);
  expect(found).toMatchObject({ status: 'processing' });
});
