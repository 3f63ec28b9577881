import type { ServerResponse } from 'node:http';
import { type Got, json, startTinyServer, type TinyServer } from './tinyServer.ts';

/** A response: status and JSON body, or a function that handles the response. */
export type BflResponse = [number, unknown] | ((response: ServerResponse) => void);

/** Treatment of an order if it differs from the usual: one poll of a pending task, then a PNG. */
export interface Plan {
  submit?: BflResponse;
  /** Responses in order; the last one repeats. */
  polls?: BflResponse[];
  files?: BflResponse[];
}

/** A server that speaks the protocol of Black Forest Labs' API, on this machine. */
export interface FakeBfl {
  /** The servers for orders, tasks and files, which the API keeps apart. */
  servers: Readonly<Record<'api' | 'region' | 'delivery', TinyServer>>;
  /** Origins for a provider's entry in the routes file. */
  rewriteOrigins: Record<string, string>;
  /** Treatment of orders, by prompt. */
  plan: (prompt: string) => Plan;
  close(): Promise<void>;
}

const apiKeyHeader = 'x-key';
const region = 'https://api.us1.bfl.ai';
const delivery = 'https://delivery.us1.bfl.ai';

/** A response to a poll, as in "Errors" of the provider's documents. */
export function task(status: string, rest: object = {}): [number, object] {
  return [200, { id: '1', status, result: null, ...rest }];
}

/** The poll after which a file is available. */
export function ready(sample = `${delivery}/results/1/sample.png?sig=1`): [number, object] {
  return task('Ready', { result: { sample, seed: 7, duration: 1.5 } });
}

/** Starts it; `png` is the file that it makes, `apiKey` the required key. */
export async function startFakeBfl(png: Buffer, apiKey = 'secret-key'): Promise<FakeBfl> {
  const plans = new Map<string, Plan>();
  const asked = new Map<string, number>();
  const fake = { plan: (): Plan => ({}) } as Pick<FakeBfl, 'plan'>;

  /** The next response to a question. */
  function next(question: string, responses: readonly BflResponse[]): BflResponse | undefined {
    const number = asked.get(question) ?? 0;
    asked.set(question, number + 1);
    return responses[Math.min(number, responses.length - 1)];
  }

  const api = await startTinyServer((got, response) => {
    if (!isAllowed(got, response)) return;
    const { prompt } = got.body as { prompt: string };
    const plan = fake.plan(prompt);
    const id = `task-${plans.size}`;
    const polling_url = `${region}/v1/get_result?id=${id}`;
    plans.set(id, plan);
    give(response, plan.submit ?? [200, { id, polling_url, cost: 3, input_mp: 0, output_mp: 1 }]);
  });
  const polls = await startTinyServer((got, response) => {
    if (!isAllowed(got, response)) return;
    const id = new URL(got.path, region).searchParams.get('id') ?? '';
    const usual = [task('Pending'), ready(`${delivery}/results/${id}/sample.png?sig=1`)];
    give(response, next(`poll ${id}`, plans.get(id)?.polls ?? usual) ?? task('Task not found'));
  });
  const files = await startTinyServer((got, response) => {
    const id = got.path.split('/')[2] ?? '';
    give(response, next(`file ${id}`, plans.get(id)?.files ?? [sendPng]) ?? sendPng);
  });
  const sendPng = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  };
  const isAllowed = ({ headers }: Got, response: ServerResponse): boolean => {
    if (headers[apiKeyHeader] === apiKey) return true;
    json(response, 403, { detail: 'Not authenticated' });
    return false;
  };

  return Object.assign(fake, {
    servers: { api, region: polls, delivery: files },
    rewriteOrigins: {
      'https://api.bfl.ai': api.origin,
      [region]: polls.origin,
      [delivery]: files.origin,
    },
    async close() {
      for (const server of [api, polls, files]) await server.close();
    },
  });
}

/** Answers as told. */
export function give(response: ServerResponse, planned: BflResponse): void {
  if (typeof planned === 'function') planned(response);
  else json(response, ...planned);
}
