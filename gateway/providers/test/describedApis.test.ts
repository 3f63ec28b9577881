import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { describedAt, taskWork } from './describedApi.ts';
import {
  imageRequest,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from './routeFixtures.ts';
import { type Got, json } from './tinyServer.ts';
import { useTinyServer } from './useTinyServer.ts';

/* Forms of described APIs: keys, templates, tasks of pictures, results that take a further request. */

let respond: (got: Got, response: ServerResponse) => void;
const server = useTinyServer((got, response) => respond(got, response));
const elsewhere = useTinyServer((_, response) => response.end('from elsewhere'));

const does = {
  modes: ['text-to-video', 'image-to-video', 'multimodal-to-video'],
  seconds: [5],
  resolutions: ['720p'],
  aspectRatios: ['16:9'],
  lastFrame: true,
  references: { image: 3 },
};
const imageDoes = { resolutions: ['1k'], aspectRatios: ['1:1'] };

const videos = taskWork;

async function open(
  api: object,
  more: { type?: 'image'; route?: object; key?: string; hosts?: string[] } = {},
) {
  const { route, hosts = [], ...rest } = more;
  const provider = describedAt(server(), { mediaHosts: [server().host, ...hosts], api });
  const given = { does: more.type === 'image' ? imageDoes : does, ...route };
  const imageTimes = { callMs: 10_000, pauseMs: 1 };
  return (await openRoute(provider, 'model-1', { ...rest, route: given, imageTimes })).route;
}

const accept = () => {
  respond = (_, response) => json(response, 200, { id: 't1' });
};

describe('a key is presented', () => {
  const sent = async (auth: object, key = 'secret-key') => {
    accept();
    const made = await (await open({ auth, videos }, { key })).submit(videoRequest(), never);
    expect(made).toMatchObject({ kind: 'accepted' });
    return server().got[0];
  };

  test('in a header of its own', async () => {
    const auth = { type: 'header', name: 'Authorization', value: 'Token {key}' };
    expect((await sent(auth))?.headers.authorization).toBe('Token secret-key');
  });

  test('as a user and a password', async () => {
    const got = await sent({ type: 'basic' }, 'user:password');
    expect(got?.headers.authorization).toBe(`Basic ${btoa('user:password')}`);
  });

  test('in the query', async () => {
    expect((await sent({ type: 'query', name: 'key' }))?.path).toBe('/orders?key=secret-key');
  });

  test('as a short-lived token that its secret signs', async () => {
    const got = await sent({ type: 'jwt', seconds: 600 }, 'access:secret-of-key');
    const token = String(got?.headers.authorization).replace('Bearer ', '');
    const [head = '', claims = '', signature] = token.split('.');
    expect(JSON.parse(String(Buffer.from(head, 'base64url')))).toEqual({
      alg: 'HS256',
      typ: 'JWT',
    });
    const { iss, exp, nbf } = JSON.parse(String(Buffer.from(claims, 'base64url'))) as {
      iss: string;
      exp: number;
      nbf: number;
    };
    expect([iss, exp - nbf]).toEqual(['access', 605]);
    const own = createHmac('sha256', 'secret-of-key').update(`${head}.${claims}`);
    expect(signature).toBe(own.digest('base64url'));
  });
});

test('a header has a new id in each request, and the key is next to it', async () => {
  accept();
  const route = await open({ headers: { 'X-Trace': 'of {uuid}' }, videos });
  await route.submit(videoRequest(), never);
  await route.submit(videoRequest(), never);
  const traces = server().got.map(({ headers }) => headers['x-trace']);
  expect(traces).toEqual([1, 2].map(() => expect.stringMatching(/^of [\da-f-]{36}$/)));
  expect(new Set(traces).size).toBe(2);
  expect(server().got[0]?.headers.authorization).toBe('Bearer secret-key');
});

test('a task whose state says that its content was refused fails with our code', async () => {
  const states = { ...videos.states, failed: [8], refused: [7] };
  const route = await open({ videos: { ...videos, states } });
  const codeAt = async (state: number) => {
    respond = (_, response) => json(response, 200, { state });
    return route.poll({ taskId: 't1' }, videoRequest(), never);
  };
  expect(await codeAt(7)).toMatchObject({ kind: 'failed', code: 'output_rejected' });
  expect(await codeAt(8)).toMatchObject({ kind: 'failed', code: 'generation_failed' });
});

describe('an order', () => {
  const bodyOf = async (submit: object, send: object, inputs = [input('first_frame')]) => {
    accept();
    const route = await open({ videos: { ...videos, submit, send } });
    const mode = inputs[0]?.role === 'reference' ? 'multimodal-to-video' : 'image-to-video';
    const given = inputs.length === 0 ? {} : { mode, inputs };
    expect(await route.submit(videoRequest({}, given), never)).toMatchObject({ kind: 'accepted' });
    return server().got[0];
  };
  const url = (role: string) => `https://media.gateway.example/in/${role}.png?sig=1`;
  const send = { duration: 'seconds', firstFrame: 'first', lastFrame: 'last', images: 'images' };
  const media = [
    { type: 'first_frame', url: '{first}' },
    { type: 'last_frame', url: '{last}' },
    { type: 'reference', url: '{images*}' },
  ];
  const submit = {
    path: '/orders',
    body: { input: { text: '{prompt}', media } },
    fieldsAt: '/options',
  };

  test('has lists of objects, each with a file that is there', async () => {
    const first = { type: 'first_frame', url: url('first_frame') };
    expect((await bodyOf(submit, send))?.body).toEqual({
      input: { text: 'a quiet lake', media: [first] },
      options: { seconds: 5 },
    });
  });

  test('has one element for each reference', async () => {
    const got = await bodyOf(submit, send, [input('reference'), input('reference')]);
    const reference = { type: 'reference', url: url('reference') };
    expect(got?.body).toMatchObject({ input: { media: [reference, reference] } });
  });

  test('has no list without its files', async () => {
    const got = await bodyOf(submit, send, []);
    expect(got?.body).toEqual({ input: { text: 'a quiet lake' }, options: { seconds: 5 } });
  });

  test.each([
    [[input('first_frame')], '/from-picture/model-1'],
    [[], '/from-text'],
  ])('goes to the endpoint for its inputs', async (inputs, path) => {
    const paths = [{ with: ['first'], path: '/from-picture/{model}' }, { path: '/from-text' }];
    expect((await bodyOf({ path: paths }, send, inputs))?.path).toBe(path);
  });

  test('is a form, with pictures as files', async () => {
    accept();
    const api = { takesBytesOnly: true, videos: { ...videos, send } };
    const asForm = {
      ...api,
      videos: { ...api.videos, submit: { path: '/orders', encoding: 'multipart' } },
    };
    const inputs = [input('first_frame')];
    await (await open(asForm)).submit(videoRequest({}, { mode: 'image-to-video', inputs }), never);
    const form = String(server().got[0]?.body);
    for (const part of ['name="prompt"', 'filename="first.png"', 'picture']) {
      expect(form).toContain(part);
    }
  });
});

test('a file in a text of JSON, behind a further request, is fetched without the key', async () => {
  const lookup = { path: '/files?id={value}', value: '/result/file' };
  const files = { lookup, addresses: ['/nothing', '/file/address'] };
  const route = await open({ videos: { ...videos, files } });
  respond = ({ path }, response) => {
    const address = `${server().origin}/film.mp4`;
    if (path === '/film.mp4') response.end('film');
    else if (path === '/files?id=f%2F1') json(response, 200, { file: { address } });
    else json(response, 200, { state: 'done', result: JSON.stringify({ file: 'f/1' }) });
  };
  const done = await route.poll({ taskId: 't1' }, videoRequest(), never);
  const [output] = done.kind === 'completed' ? done.outputs : [];
  expect(String(await readOutput(output))).toBe('film');
  expect(server().got.map(({ headers }) => 'authorization' in headers)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a file on a host that no one named is not fetched', async () => {
  const route = await open({ videos });
  respond = (_, response) =>
    json(response, 200, { state: 'done', files: ['https://other.example/1'] });
  const done = await route.poll({ taskId: 't1' }, videoRequest(), never);
  const [output] = done.kind === 'completed' ? done.outputs : [];
  await expect(readOutput(output)).rejects.toThrow('other.example is not in mediaHosts');
});

describe('pictures', () => {
  const send = { size: 'size' };

  test('come in the response to the order', async () => {
    const body = { model: '{model}', prompt: '{prompt}', n: '{n}' };
    const files = { base64: '/data/*/b64_json' };
    const images = { submit: { path: '/images', body }, send, files, imagesPerCall: 4 };
    const picture = { b64_json: btoa('picture') };
    respond = (_, response) => json(response, 200, { data: [picture, picture] });
    const route = await open({ images }, { type: 'image' });
    const made = await route.submit(imageRequest({ n: 2 }), never);
    const outputs = made.kind === 'completed' ? made.outputs : [];
    expect(await Promise.all(outputs.map(async (each) => String(await readOutput(each))))).toEqual([
      ...['picture', 'picture'],
    ]);
    expect(server().got).toHaveLength(1);
    expect(server().got[0]?.body).toMatchObject({ n: 2, size: '1024x1024' });
  });

  test.each([
    ['bearer', 'secret-key'],
    ['jwt', 'access:secret-of-key'],
  ])('come from a task, polled with a key of type %s until it ends', async (type, key) => {
    const states = ['wait', 'wait', 'done'];
    respond = ({ method, path }, response) => {
      if (path === '/1.png') {
        response.end('picture');
      } else if (method === 'POST') {
        json(response, 200, { id: 't1' });
      } else {
        json(response, 200, { state: states.shift(), files: [`${server().origin}/1.png`] });
      }
    };
    const api = { auth: { type }, images: { ...videos, send } };
    const made = await (await open(api, { type: 'image', key })).submit(imageRequest(), never);
    const [output] = made.kind === 'completed' ? made.outputs : [];
    expect(String(await readOutput(output))).toBe('picture');
    expect(server().got.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
  });

  test.each([
    [{ addresses: '/files/*', withKey: true }, '/1.png'],
    [{ path: '/tasks/{id}/content' }, '/tasks/t1/content'],
  ])('that the API itself serves (%j) are fetched with the key', async (files, path) => {
    respond = (got, response) => {
      if (got.path === path) response.end('picture');
      else if (got.method === 'POST') json(response, 200, { id: 't1' });
      else json(response, 200, { state: 'done', files: [`${server().origin}/1.png`] });
    };
    const route = await open({ images: { ...videos, send, files } }, { type: 'image' });
    const made = await route.submit(imageRequest(), never);
    const [output] = made.kind === 'completed' ? made.outputs : [];
    expect(String(await readOutput(output))).toBe('picture');
    const fetched = server().got.find((got) => got.path === path);
    expect(fetched?.headers.authorization).toBe('Bearer secret-key');
  });

  test('on another host are fetched without the key', async () => {
    const files = { addresses: '/files/*', withKey: true };
    respond = ({ method, path }, response) => {
      if (path === '/1.png') {
        response.end('picture');
      } else if (method === 'POST') {
        json(response, 200, { id: 't1' });
      } else {
        json(response, 200, { state: 'done', files: [`${elsewhere().origin}/1.png`] });
      }
    };
    const api = { images: { ...videos, send, files } };
    const route = await open(api, { type: 'image', hosts: [elsewhere().host] });
    const made = await route.submit(imageRequest(), never);
    const [output] = made.kind === 'completed' ? made.outputs : [];
    expect(String(await readOutput(output))).toBe('from elsewhere');
    expect(elsewhere().got[0]?.headers).not.toHaveProperty('authorization');
  });

  test('of a failed task are refused with our code', async () => {
    respond = ({ method }, response) =>
      json(response, 200, method === 'POST' ? { id: 't1' } : { state: 'bad', why: 'code-7' });
    const states = { ...videos.states, reasons: '/why' };
    const api = {
      errors: [{ code: 'code-7', means: 'content' }],
      images: { ...videos, states, send },
    };
    const made = await (await open(api, { type: 'image' })).submit(imageRequest(), never);
    expect(made).toMatchObject({ kind: 'refused', code: 'output_rejected' });
  });
});

describe('an error', () => {
  const submit = async (errors: object[], status: number, body: object) => {
    respond = (_, response) => json(response, status, body);
    return (await open({ errors, videos })).submit(videoRequest(), never);
  };

  test('is read by its status, its code and its words', async () => {
    const byStatus = [{ status: 418, means: 'busy' }];
    expect(await submit(byStatus, 418, { message: 'no' })).toMatchObject({ isBusy: true });
    const byCode = [{ code: 1102, means: 'account' }];
    const account = { kind: 'refused', health: { kind: 'account' } };
    expect(await submit(byCode, 200, { code: 1102, msg: 'no' })).toMatchObject(account);
    expect(await submit(byCode, 200, { code: 11_023, msg: 'no' })).toMatchObject({
      kind: 'unknown',
    });
    const byWords = [{ contains: 'queue is full', means: 'busy' }];
    expect(await submit(byWords, 400, { message: 'The QUEUE is full.' })).toMatchObject({
      isBusy: true,
    });
  });

  test('needs everything that its rule states', async () => {
    const rule = [{ status: 429, code: 1102, means: 'account' }];
    const body = { code: 1102, msg: 'no' };
    expect(await submit(rule, 429, body)).toMatchObject({ health: { kind: 'account' } });
    expect(await submit(rule, 400, body)).toMatchObject({ health: { kind: 'refusal' } });
  });
});

test('a wrong description is refused with all its problems, their paths and the nearest names', async () => {
  const wrong = {
    auht: {},
    auth: { type: 'jwt', secs: 3 },
    videos: {
      submit: { path: 'orders/{modle}' },
      send: { duration: '@duration' },
      taskId: 'id',
      files: {},
    },
  };
  const api = 'providers.p.api';
  await expect(open(wrong)).rejects.toMatchObject({
    problems: expect.arrayContaining([
      `${api}.auht is not allowed (did you mean "auth"?).`,
      `${api}.auth.secs is not allowed (did you mean "seconds"?).`,
      `${api}.videos.submit.path must be a path that begins with /.`,
      `${api}.videos.submit.path has the placeholder modle, which is none of model.`,
      `${api}.videos.send has @duration, a field of packages; name the field of the body, without @.`,
      expect.stringMatching(/videos.taskId must be a JSON pointer/),
      `${api}.videos.files must have addresses, base64 or path.`,
      `${api}.videos needs taskId, poll and states together, or none of them.`,
    ]),
  });
});

test('an entry names a shipped description, or its own', async () => {
  const problemsOf = (provider: object) =>
    openRoute({ kind: 'http', mediaHosts: ['a.example'], ...provider }, 'm', {
      route: { does },
    }).then(
      () => [],
      (error: unknown) => (error as { problems: string[] }).problems,
    );
  expect(await problemsOf({ like: 'runwya' })).toEqual([
    'providers.p.like is not an included description (did you mean "runway"?).',
  ]);
  expect(await problemsOf({})).toEqual([expect.stringMatching(/^providers.p needs api, or like/)]);
  expect(await problemsOf({ like: 'openai' })).toEqual(['providers.p.baseURL is required.']);
});
