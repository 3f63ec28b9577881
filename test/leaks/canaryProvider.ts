import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import {
  type Got,
  startTinyServer,
  type TinyServer,
} from '../../gateway/providers/test/tinyServer.ts';
import { sampleFilm, samplePicture } from '../support/sampleMedia.ts';

/** Marks every text from a provider; none of it may reach a client. Inside a random id it is a coincidence. */
export const canary = (place: string) => `cnry-${place}`;
export const canaryPattern = /(?<![0-9a-z])cnry|cnry-/i;

/** The names of the providers behind it. */
export const namePattern =
  /\bfal\b|fal\.run|modelark|seedance|bytedance|\bbfl\b|black[- ]forest|\bflux\b/i;

/** The hosts that this provider claims. */
export const canaryHosts = {
  queue: 'https://queue.fal.run',
  media: 'https://cnry-media.example',
  region: 'https://cnry-region.bfl.ai',
};

/**
 * A provider that speaks the protocols of fal, ModelArk and Black Forest Labs, and puts a canary into every place
 * of its responses: ids, headers, messages, hosts, URLs, files' metadata, error bodies and HTML pages. The prompt's
 * first word decides its behaviour.
 */
export async function startCanaryProvider(): Promise<TinyServer> {
  const [video, image] = [await canaryVideo(), await canaryImage()];
  const fates = new Map<string, string>();
  return startTinyServer((got, response) => {
    for (const name of ['x-request-id', 'server', 'x-fal-request-id', 'set-cookie', 'location']) {
      response.setHeader(name, canary(`header-${name}`));
    }
    if (got.path.includes('/media/')) {
      sendMedia(got, response, video, image);
    } else if (got.path.includes('/get_result')) {
      pollTask(got, response, fates);
    } else if (got.method === 'POST') {
      submit(got, response, fates);
    } else {
      const id = taskIn(got);
      poll(fates.get(id) ?? '', got, response);
      if (fates.get(id) === 'later') fates.set(id, 'made');
    }
  });
}

function submit(got: Got, response: ServerResponse, fates: Map<string, string>): void {
  const fate = fateOf(got.body);
  const id = `${canary('id')}-${String(fates.size)}`;
  fates.set(id, fate);
  const isArk = got.path.includes('/contents/');
  if (got.path.includes('/cnry-flux')) {
    const polling_url = `${canaryHosts.region}/v1/get_result?id=${id}`;
    sendJson(response, 200, { id, polling_url, [canary('field')]: canary('value') });
  } else if (fate === 'refused') {
    const error = isArk
      ? { error: { code: 'InputTextSensitiveContentDetected', message: canary('message') } }
      : { detail: [contentProblem], [canary('field')]: canary('value') };
    sendJson(response, isArk ? 400 : 422, error);
  } else if (fate === 'html') {
    response.writeHead(503, { 'content-type': 'text/html' });
    response.end(`<html><title>${canary('title')}</title><body>${canary('page')}</body></html>`);
  } else if (fate === 'odd') {
    sendJson(response, 200, { [canary('field')]: canary('value') });
  } else if (isArk) {
    sendJson(response, 200, { id });
  } else if (got.path.includes('image')) {
    const url = `${canaryHosts.media}/media/${canary('file')}.png?${canary('query')}`;
    sendJson(response, 200, {
      images: [{ url, file_name: canary('file-name') }],
      prompt: canary('p'),
    });
  } else {
    const at = `${canaryHosts.queue}/fal-ai/${canary('model')}/requests/${id}`;
    sendJson(response, 200, { request_id: id, response_url: at, status_url: `${at}/status` });
  }
}

/** Black Forest Labs moderate when the task is looked at. */
function pollTask({ path }: Got, response: ServerResponse, fates: Map<string, string>): void {
  const id = path.split('id=')[1] ?? '';
  const status = { refused: 'Request Moderated', failed: 'Content Moderated', lost: 'Error' }[
    fates.get(id) ?? ''
  ];
  const sample = `${canaryHosts.media}/media/${canary('file')}.png?${canary('query')}`;
  const details = { 'Moderation Reasons': [canary('reason')] };
  const result = { sample, prompt: canary('prompt') };
  sendJson(response, 200, status ? { id, status, details } : { id, status: 'Ready', result });
}

const taskIn = ({ path }: Got) => path.split('/').at(-1) ?? '';

function poll(fate: string, got: Got, response: ServerResponse): void {
  const url = `${canaryHosts.media}/media/${canary('file')}.mp4?${canary('query')}`;
  const isArk = got.path.includes('/contents/');
  const extra = { model: canary('model'), logs: [{ message: canary('log') }], seed: 1 };
  if (fate === 'later') {
    const error = { code: canary('code'), message: canary('message') };
    sendJson(response, 500, { ...extra, error });
  } else if (fate === 'failed' && isArk) {
    const error = { code: 'OutputVideoSensitiveContentDetected', message: canary('message') };
    sendJson(response, 200, { ...extra, id: taskIn(got), status: 'failed', error });
  } else if (fate === 'failed') {
    sendJson(response, 422, { detail: [contentProblem], [canary('field')]: canary('value') });
  } else if (fate === 'empty') {
    sendJson(response, 200, { ...extra, id: taskIn(got), status: 'succeeded', content: {} });
  } else if (isArk) {
    sendJson(response, 200, { ...extra, status: 'succeeded', content: { video_url: url } });
  } else {
    sendJson(response, 200, { ...extra, video: { url, file_name: canary('file-name') } });
  }
}

const contentProblem = {
  type: 'content_policy_violation',
  msg: canary('message'),
  url: canary('url'),
  loc: ['body', canary('loc')],
  input: canary('input'),
  ctx: { reason: canary('ctx') },
};

function sendMedia(got: Got, response: ServerResponse, video: Buffer, image: Buffer): void {
  const isImage = got.path.includes('.png');
  response.writeHead(200, {
    'content-type': isImage ? 'image/png' : 'video/mp4',
    'content-disposition': `attachment; filename="${canary('download')}.mp4"`,
  });
  response.end(isImage ? image : video);
}

/** The prompt's first word. */
function fateOf(body: unknown): string {
  return /"(?:prompt|text)":"(\w+)/.exec(JSON.stringify(body))?.[1] ?? '';
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': `application/json; note=${canary('type')}` });
  response.end(JSON.stringify(body));
}

/** A real MP4 with canaries in boxes of every kind that may hold free text. */
async function canaryVideo(): Promise<Buffer> {
  const boxes = ['free', 'skip', 'udta', 'meta', 'uuid', 'cnry'].map((type) => {
    const body = Buffer.from(`${'0'.repeat(16)}${canary(`box-${type}`)}`);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  });
  return Buffer.concat([await sampleFilm(), ...boxes]);
}

/** A real PNG with canaries in its EXIF, and bytes behind its end. */
async function canaryImage(): Promise<Buffer> {
  const exif = { IFD0: { Artist: canary('exif'), Software: canary('exif') } };
  const picture = sharp(await samplePicture());
  const file = await picture.withExif(exif).png().toBuffer();
  return Buffer.concat([file, Buffer.from(canary('trailer'))]);
}
