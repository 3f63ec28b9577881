import type { Framegate, Generation, WaitOptions } from '../../typescript/src/index.ts';
import { type Fields, generationIdOf, type Message, orderOf, pathsOf } from './orders.ts';

/** A message in progress since `at`, in ms since the epoch. The node's context keeps it across a restart. */
export interface Run {
  at: number;
  message: Message;
  /** Key of a create request. */
  key?: string | undefined;
  /** Id of the generation, once it is known. */
  id?: string;
}

/** Dependencies of a node's work on a message. */
export interface Call {
  client: Framegate;
  fields: Fields;
  run: Run;
  options: Pick<WaitOptions, 'signal' | 'timeoutMs' | 'onUpdate'> & { signal: AbortSignal };
}

/** @returns Fields for the message. */
type Work = (call: Call) => Promise<object>;

/** How long a create request is repeated under its key, in ms: the gateway knows the key for seven days. */
const repeatedForMs = 6 * 24 * 3_600_000;

const messageFields = (generation: Generation) => ({
  payload: generation,
  generationId: generation.id,
});
const idOf = ({ fields, run }: Call) => (run.id ??= generationIdOf(fields, run.message));
const waitForEnd = (call: Call) => call.client.generations.wait(idOf(call), call.options);

const create = (kind: 'videos' | 'images') => async (call: Call) => {
  const { client, fields, run, options } = call;
  if (run.id !== undefined) return messageFields(await waitForEnd(call));
  if (Date.now() - run.at > repeatedForMs) {
    throw new Error("No response for six days: look for the order in your account's history.");
  }
  const limit = run.message['maxCredits'] ?? (fields.maxCredits || undefined);
  const maxCredits = limit === undefined ? undefined : Number(limit);
  const all = { ...options, idempotencyKey: run.key, maxCredits };
  const make = fields.wait ? 'createAndWait' : 'create';
  return messageFields(await client[kind][make](orderOf(fields, run.message), all));
};

/** The nodes that spend credits. */
export const creates: Record<string, Work> = { video: create('videos'), image: create('images') };

/** The nodes that spend none. */
export const reads: Record<string, Work> = {
  wait: async (call) => messageFields(await waitForEnd(call)),
  find: async (call) => messageFields(await call.client.generations.get(idOf(call), call.options)),
  balance: async ({ client, options }) => ({ payload: await client.credits.balance(options) }),
  async download(call) {
    const generation = await waitForEnd(call);
    const filenames = pathsOf(call.fields, call.run.message, generation.output.urls.length);
    for (const [index, path] of filenames.entries()) {
      await generation.download(path, { ...call.options, index });
    }
    return { ...messageFields(generation), filename: filenames[0], filenames };
  },
};
