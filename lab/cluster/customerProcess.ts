/**
 * Customers in a process of their own, which has the proxy's certificate: each order is created, polled
 * and downloaded by the client of integrations/typescript, while others read.
 */
import dns from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompletedGeneration,
  Framegate,
  FramegateError,
} from '../../integrations/typescript/src/node/index.ts';
import type {
  ApiAccess,
  Customer,
  CustomerReport,
  CustomerTask,
  Request,
} from './customerRecords.ts';

const redirectToThisMachine = (
  _name: string,
  options: { all?: boolean },
  respond: (...all: unknown[]) => void,
) =>
  options.all === true
    ? respond(null, [{ address: '127.0.0.1', family: 4 }])
    : respond(null, '127.0.0.1', 4);
// The proxy's names, such as video.localhost, which not every system's resolver knows.
Object.assign(dns, { lookup: redirectToThisMachine });

const requests: Request[] = [];
const customers: Customer[] = [];
const underWay = new Set<Promise<void>>();
let isOver = false;
/** Downloaded again and again, so that the store is always needed. */
let lastMade: CompletedGeneration | null = null;
const repeaters = 4;
const repeatPauseMs = 40;

/** A client that records each request, including repeated ones. */
function connect(
  { baseUrl, apiKey }: ApiAccess,
  noteAccepted: () => void = () => undefined,
): Framegate {
  let fileHasBegun = false;
  const recordAnswer = async (what: Request['what'], call: () => Promise<Response>) => {
    const at = Date.now();
    const note = (end: Partial<Request>) =>
      requests.push({ what, at, tookMs: Date.now() - at, told: null, error: null, ...end });
    try {
      const response = await call();
      const { status, ok, headers } = response;
      const isTold = (status === 429 || status === 503) && headers.has('retry-after');
      const code = isTold ? /"code":"(\w+)"/.exec(await response.clone().text())?.[1] : null;
      if (isTold) note({ told: `${status} ${code ?? ''}` });
      else note({ error: ok ? null : `was answered ${status}` });
      return response;
    } catch (error) {
      note({ error: `had no response: ${wordsOf(error)}` });
      throw error;
    }
  };
  return new Framegate({
    baseUrl,
    apiKey,
    platform: {
      fetch: (url, init) =>
        recordAnswer(init.method === 'POST' ? 'create' : 'read', async () => {
          const response = await fetch(url, init);
          const text = await response.text();
          if (response.status === 202) noteAccepted();
          return new Response(text, response);
        }),
      async fetchFile(url, init) {
        fileHasBegun = false;
        const response = await recordAnswer('download', () => fetch(url, init));
        fileHasBegun = response.ok;
        return response;
      },
    },
    onRetry(error) {
      if (error instanceof FramegateError || !fileHasBegun) return;
      const broken = { what: 'download', at: Date.now(), tookMs: 0, told: null } as const;
      requests.push({ ...broken, error: `broke off: ${error.message}` });
    },
  });
}

async function order(access: ApiAccess, number: number): Promise<void> {
  const isVideo = number % 3 !== 0;
  const customer: Customer = {
    prompt: `order ${number}.`,
    isVideo,
    acceptedAt: null,
    id: null,
    end: '',
    bytes: 0,
  };
  customers.push(customer);
  const client = connect(access, () => (customer.acceptedAt ??= Date.now()));
  const options = {
    idempotencyKey: customer.prompt.replace(' ', '-'),
    onUpdate: ({ id }: { id: string }) => void (customer.id = id),
  };
  try {
    const generation = isVideo
      ? await client.videos.createAndWait(videoOf(customer), options)
      : await client.images.createAndWait(
          { model: 'image-a-2', prompt: `${customer.prompt} [takes 1000 ms]` },
          options,
        );
    customer.bytes = await measureSize(generation);
    lastMade = generation;
    customer.end = 'completed';
  } catch (error) {
    customer.end = error instanceof FramegateError ? error.code : wordsOf(error);
  }
}

const videoOf = ({ prompt }: Customer) => ({
  model: 'alpha-2.0-fast',
  mode: 'text-to-video' as const,
  prompt,
  parameters: { duration_seconds: 4, resolution: '480p' as const },
});

/**
 * Repeats creates that were answered, one after the other: there is always a request in progress that no proxy may
 * repeat by itself.
 */
async function repeat(access: ApiAccess): Promise<void> {
  const client = connect(access);
  while (!isOver) {
    await pause(repeatPauseMs);
    const earlier = customers.findLast(({ id, isVideo }) => id !== null && isVideo);
    if (!earlier) continue;
    const options = { idempotencyKey: earlier.prompt.replace(' ', '-') };
    const again = await client.videos.create(videoOf(earlier), options).catch(() => earlier);
    if (again.id !== earlier.id) earlier.end = `a replay answered with ${String(again.id)}`;
  }
}

async function read(access: ApiAccess, number: number): Promise<void> {
  if (number % 4 === 0) {
    await (lastMade && measureSize(lastMade).catch(() => undefined));
    return;
  }
  const client = connect(access);
  const earlier = customers.findLast(({ id }) => id !== null)?.id;
  await (earlier ? client.generations.get(earlier) : client.credits.balance()).catch(
    () => undefined,
  );
}

const measureSize = async (generation: CompletedGeneration) =>
  (await generation.download(new WritableStream<Uint8Array>())).bytes;

/** Orders and reads until it is over. Resolves when everything has ended. */
async function buy(
  access: ApiAccess,
  perSecond: { creates: number; reads: number },
): Promise<CustomerReport> {
  await Promise.all([
    waitForTurn(perSecond.creates, (number) => order(access, number)),
    waitForTurn(perSecond.reads, (number) => read(access, number)),
    ...Array.from({ length: repeaters }, () => repeat(access)),
  ]);
  while (underWay.size > 0) await Promise.all(underWay);
  return { requests, customers };
}

/** Does something at this rate per second until it is over, in parallel with other work. */
async function waitForTurn(
  perSecond: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  for (let number = 0; !isOver; number += 1) {
    await pause(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    const running = work(number).finally(() => underWay.delete(running));
    underWay.add(running);
  }
}

function wordsOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause === undefined ? message : wordsOf(cause);
}

process.on('disconnect', () => process.exit(1));
process.on('message', (task: CustomerTask | 'stop') => {
  if (task === 'stop') {
    isOver = true;
    return;
  }
  const work =
    'id' in task
      ? connect(task).generations.wait(task.id).then(measureSize)
      : buy(task, task.perSecond);
  // A failure ends the process with its reason.
  void work.then((report) => process.send?.(report, () => process.disconnect()));
});
