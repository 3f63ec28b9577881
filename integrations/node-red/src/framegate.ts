import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { AbortError, FramegateError, type Generation } from '../../typescript/src/index.ts';
import { Framegate } from '../../typescript/src/node/index.ts';
import { filesOf, generationIdOf, maxCreditsOf, orderOf, type Fields } from './orders.ts';

type AccountNode = Node<{ apiKey: unknown }> & { connect?: () => Framegate };
type Message = NodeMessage & Record<string, unknown> & { _msgid: string };

/** A message at work. The node's context keeps it over a deploy, and in files over a restart. */
interface Run {
  /** Begin, in ms since 1970. */
  at: number;
  message: Message;
  /** Key of a create. */
  key: string;
  /** The generation, as soon as it is known. */
  id?: string;
}

interface Call {
  client: Framegate;
  fields: Fields;
  run: Run;
  options: {
    signal: AbortSignal;
    timeoutMs: number;
    onUpdate(generation: Generation, progress: { share: number | undefined }): void;
  };
}

/** How long a create is repeated under its key, in ms: the gateway knows the key for seven days. */
const repeatedForMs = 6 * 24 * 3_600_000;
/** Longer than the gateway gives any generation, in ms. */
const timeoutMs = 26 * 3_600_000;
/** Messages that a node has at work at most. */
const maxRuns = 1_000;

const found = (generation: Generation) => ({ payload: generation, generationId: generation.id });

const create = (kind: 'videos' | 'images') => async (call: Call) => {
  const { client, fields, run, options } = call;
  if (run.id !== undefined) return fields.wait ? wait(call) : find(call);
  if (Date.now() - run.at > repeatedForMs) {
    throw new Error('This order had no answer for six days: look for it in the history of your account.');
  }
  const body = orderOf(fields, run.message);
  const maxCredits = maxCreditsOf(fields, run.message);
  const all = { ...options, idempotencyKey: run.key, maxCredits };
  return found(await client[kind][fields.wait ? 'createAndWait' : 'create'](body, all));
};

const idOf = ({ fields, run }: Call) => (run.id ??= generationIdOf(fields, run.message));
const wait = async (call: Call) =>
  found(await call.client.generations.wait(idOf(call), call.options));
const find = async (call: Call) => found(await call.client.generations.get(idOf(call), call.options));

/** What each kind of node does with a message. @returns The fields that it sets. */
const kinds: Readonly<Record<string, (call: Call) => Promise<object>>> = {
  'framegate-video': create('videos'),
  'framegate-image': create('images'),
  'framegate-wait': wait,
  'framegate-find': find,
  async 'framegate-download'(call) {
    const done = await call.client.generations.wait(idOf(call), call.options);
    const filenames = filesOf(call.fields, call.run.message, done.output.urls.length);
    for (const [index, path] of filenames.entries()) {
      await done.download(path, { ...call.options, index });
    }
    return { ...found(done), filename: filenames[0], filenames };
  },
  'framegate-balance': async ({ client, options }) => ({
    payload: await client.credits.balance(options),
  }),
};

const openAccount = 'Open the Framegate account of this node and';
/** What to do in Node-RED about an error, by its code. */
const advice: Readonly<Record<string, string>> = {
  invalid_api_key: `${openAccount} enter the API key again.`,
  invalid_api_key_form: `${openAccount} enter the API key again.`,
  invalid_base_url: `${openAccount} correct the address of the API.`,
  price_above_limit: 'Open this node to raise the limit of credits, or ask for less.',
};

/** Registers the nodes. */
export default function framegate(red: NodeAPI): void {
  function account(this: AccountNode, config: NodeDef & { url: string }) {
    red.nodes.createNode(this, config);
    let client: Framegate | undefined;
    this.connect = () =>
      (client ??= new Framegate({
        baseUrl: config.url.trim(),
        apiKey: String(this.credentials.apiKey ?? '').trim(),
        headers: { 'user-agent': `framegate-node-red/0.1.0 (Node.js/${process.versions.node})` },
      }));
  }
  red.nodes.registerType('framegate-account', account, {
    credentials: { apiKey: { type: 'password' } },
  });
  for (const [type, perform] of Object.entries(kinds)) {
    red.nodes.registerType(type, function (this: Node, fields: NodeDef & Fields) {
      red.nodes.createNode(this, fields);
      serve(this, red, async (run, options) => {
        const used = red.nodes.getNode(fields.account) as AccountNode | null;
        if (!used?.connect) throw new Error('Open this node and choose a Framegate account.');
        return perform({ client: used.connect(), fields, run, options });
      });
    });
  }
}

type Perform = (run: Run, options: Call['options']) => Promise<object>;

/** Serves the messages of a node, and those that its last start has left. */
function serve(node: Node, red: NodeAPI, perform: Perform): void {
  const over = new AbortController();
  const runs = new Map<string, Run>();
  const context = node.context();
  const working = new Set<Promise<void>>();
  let writing = Promise.resolve();

  /** Writes all runs, after the write before. */
  function write(): Promise<void> {
    const set = promisify((done: (error: Error) => void) =>
      context.set('runs', Object.fromEntries(runs), undefined, done),
    );
    writing = writing.then(set, set);
    return writing;
  }

  const show = (text = `${runs.size} at work`) =>
    node.status(runs.size === 0 ? {} : { fill: 'blue', shape: 'dot', text });

  function onUpdate(run: Run): Call['options']['onUpdate'] {
    return ({ id, status }, { share = 0 }) => {
      show(runs.size > 1 ? undefined : `${status}, ${Math.round(share * 100)} %`);
      if (run.id === id) return;
      run.id = id;
      write().catch((error: Error) => node.warn(error.message));
    };
  }

  /** Ends in a message or an error. A run that is stopped stays for the next start. */
  async function follow(run: Run, message: Message, send: Node['send'], done: Done): Promise<void> {
    const name = message._msgid;
    try {
      if (runs.size >= maxRuns) throw new Error(`This node has ${maxRuns} messages at work.`);
      runs.set(name, run);
      await write();
      show();
      const { signal } = over;
      Object.assign(message, await perform(run, { signal, timeoutMs, onUpdate: onUpdate(run) }));
      runs.delete(name);
      await write();
      show();
      send(message);
      done();
    } catch (error) {
      if (error instanceof AbortError && over.signal.aborted) return;
      runs.delete(name);
      await write().catch(() => undefined);
      done(explain(message, error));
      node.status({ fill: 'red', shape: 'ring', text: String(message['errorCode'] ?? 'error') });
    }
  }

  function begin(...[run, message, send, done]: Parameters<typeof follow>): void {
    const following = follow(run, message, send, done).finally(() => working.delete(following));
    working.add(following);
  }

  const opened = promisify((done: (error: Error | null, kept?: unknown) => void) =>
    context.get('runs', undefined, done),
  )().then((kept) => {
    for (const run of Object.values((kept ?? {}) as Record<string, Run>)) {
      const message = red.util.cloneMessage(run.message);
      const done = (error?: Error) => error && node.error(error, message);
      begin(run, message, (each) => node.send(each), done);
    }
  });
  opened.catch((error: Error) => node.error(error));

  node.on('input', (message: Message, send, done) => {
    // Open requests are in no context: after a restart they are gone.
    const { req: _req, res: _res, ...kept } = message;
    const { idempotencyKey = randomUUID() } = message;
    const run = { at: Date.now(), key: String(idempotencyKey), message: red.util.cloneMessage(kept) };
    void opened.finally(() => begin(run, message, send, done));
  });
  node.on('close', (done: () => void) => {
    over.abort();
    void Promise.allSettled([opened, ...working]).then(done);
  });
}

type Done = (error?: Error) => void;

/** The error for a catch node. Its message gets the code, and the generation and the key, where there are any. */
function explain(message: Message, error: unknown): Error {
  if (!(error instanceof FramegateError)) return error as Error;
  const { code, generationId, idempotencyKey } = error;
  Object.assign(message, { errorCode: code }, generationId && { generationId });
  if (idempotencyKey !== undefined) message['idempotencyKey'] = idempotencyKey;
  const told = advice[code];
  return told === undefined ? error : new Error(`${error.message} ${told}`, { cause: error });
}
