import { createServer } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { sampleFilm } from '../../test/support/sampleMedia.ts';

/**
 * A ModelArk in a process of its own, whose tasks run until the request `{ overMs }` ends them, evenly spread over that
 * time from then on. It reports its URL at startup, the number of its tasks for `count`, and for `ends` the
 * prompt of each task and its end, in ms since the epoch. With a number of ms as its second argument, each task
 * instead ends that long after its acceptance.
 */
export type TimedArkRequest = 'count' | 'ends' | { overMs: number };

const video = await sampleFilm();
const prompts: string[] = [];
const path = '/api/v3/contents/generations/tasks';
/** Otherwise all fail: the cost of an end without its file, plus a refund. */
const withMedia = process.argv[2] === 'media';
const afterMs = process.argv[3] === undefined ? null : Number(process.argv[3]);
const acceptedAt: number[] = [];
let window: { from: number; overMs: number } | null = null;

/** The golden ratio's multiples are spread evenly, however many there will be. */
function endTime(number: number): number {
  if (afterMs !== null) return (acceptedAt[number] ?? Infinity) + afterMs;
  return window === null ? Infinity : window.from + ((number * 0.618_034) % 1) * window.overMs;
}

async function respond(method: string, url: string, body: () => Promise<unknown>): Promise<object> {
  if (method === 'POST') {
    const order = (await body()) as { content: { text: string }[] };
    const number = prompts.push(order.content[0]?.text ?? '') - 1;
    acceptedAt.push(Date.now());
    return { id: `cgt-${number}` };
  }
  const number = Number(url.slice(path.length + 1).replace('cgt-', ''));
  const ended = endTime(number) <= Date.now();
  const id = `cgt-${number}`;
  if (!ended) return { id, status: 'running' };
  if (!withMedia) return { id, status: 'failed', error: { code: 'InternalError', message: 'x' } };
  const content = { video_url: `http://${host()}/media/${id}.mp4` };
  return { id, status: 'succeeded', content, usage: { completion_tokens: 1 } };
}

const server = createServer((request, response) => {
  const { method = '', url = '' } = request;
  if (url.startsWith('/media/')) {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': video.length });
    response.end(video);
    return;
  }
  void respond(method, url, () => readJson(request)).then((reply) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply));
  });
});

function host(): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return `127.0.0.1:${address.port}`;
}

process.on('message', (request: TimedArkRequest) => {
  if (request === 'count') {
    process.send?.(prompts.length);
  } else if (request === 'ends') {
    process.send?.(prompts.map((prompt, number) => [prompt, endTime(number)]));
  } else {
    window = { from: Date.now(), overMs: request.overMs };
    process.send?.('ordered');
  }
});
server.listen(0, '127.0.0.1', () => process.send?.(host()));
