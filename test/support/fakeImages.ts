import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sum } from '@framegate/contract';
import { sampleFilm, samplePicture, usualSide } from './sampleMedia.ts';

/** An accepted call. Times in ms since the epoch. */
export interface ImageCall {
  prompt: string;
  images: number;
  answeredAt: number | null;
  /** When the caller closed the connection before it had its response. */
  cutAt: number | null;
}

/** An image provider on this machine that speaks the protocol of `@ai-sdk/openai`. */
export interface FakeImages {
  origin: string;
  /** Number of images accepted, and thus charged, for prompts that contain this text. */
  accepted(prompt: string): number;
  /** Every accepted call, in order. */
  calls(): readonly ImageCall[];
  /** Forgets the accepted calls. */
  reset(): void;
  close(): Promise<void>;
}

/** How long it works on a prompt marked `[slow]` or `[never]`, in ms; `[takes 300 ms]` names its own time. */
const slowMs = { '[slow]': 700, '[never]': 2_500 };

/**
 * Starts a server that makes images within one call, controlled by marks in the prompt: `[slow]` and `[never]` take
 * their time, `[fails]` is refused, `[dropped]` is neither accepted nor answered, `[lost]` is accepted and not
 * answered, `[busy]` is turned away at first. Different from the order are `[small]`, with half the sides, `[fewer]`,
 * with one image less, and `[film]`, a video.
 */
export async function startFakeImages(): Promise<FakeImages> {
  const accepted: ImageCall[] = [];
  const turnedAway = new Map<string, number>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, n, width, height } = readOrder(await text(request));
    const has = (mark: string) => prompt.includes(mark);
    if (has('[dropped]')) {
      drop(response);
      return;
    }
    if (has('[fails]')) {
      refuse(response, 400, 'moderation_blocked');
      return;
    }
    // All calls of an order's first attempt arrive together.
    const before = turnedAway.get(prompt) ?? 0;
    if (has('[busy]') && before < Number(/\bn(\d)\b/.exec(prompt)?.[1] ?? 1) / n) {
      turnedAway.set(prompt, before + 1);
      refuse(response, 429, 'rate_limit_exceeded');
      return;
    }
    const call: ImageCall = { prompt, images: n, answeredAt: null, cutAt: null };
    accepted.push(call);
    response.once('close', () => {
      if (!response.writableFinished && !has('[lost]')) call.cutAt = Date.now();
    });
    if (has('[lost]')) {
      drop(response);
      return;
    }
    for (const [mark, ms] of Object.entries(slowMs)) if (has(mark)) await pause(ms);
    await pause(Number(/\[takes (\d+) ms\]/.exec(prompt)?.[1] ?? 0));
    if (call.cutAt === null) call.answeredAt = Date.now();
    const side = (ordered = usualSide) => (has('[small]') ? ordered / 2 : ordered);
    const file = has('[film]')
      ? await sampleFilm()
      : await samplePicture(side(width), side(height));
    const one = { b64_json: file.toString('base64') };
    const length = has('[fewer]') ? n - 1 : n;
    sendJson(response, 200, { created: 1, data: Array.from({ length }, () => one) });
  }

  const server = createServer((request, response) => {
    // The caller was killed during the call.
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    accepted: (prompt) =>
      sum(accepted.map((each) => (each.prompt.includes(prompt) ? each.images : 0))),
    calls: () => accepted,
    reset() {
      accepted.length = 0;
      turnedAway.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** JSON without input pictures, a form with them. */
function readOrder(body: string) {
  const field = (name: string) => new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(body)?.[1];
  const order = body.startsWith('{')
    ? (JSON.parse(body) as { prompt?: string; n?: number; size?: string })
    : { prompt: field('prompt'), n: field('n'), size: field('size') };
  const [width, height] = order.size?.split('x').map(Number) ?? [];
  return { prompt: order.prompt ?? '', n: Number(order.n ?? 1), width, height };
}

const drop = (response: ServerResponse) => void response.socket?.destroy();

const refuse = (response: ServerResponse, status: number, code: string) =>
  sendJson(response, status, { error: { message: `Refused: ${code}.`, type: 'error', code } });

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
