import { promisify } from 'node:util';
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { FramegateError, GenerationFailedError } from '../../typescript/src/index.ts';
import { Framegate } from '../../typescript/src/node/index.ts';
import manifest from '../package.json' with { type: 'json' };
import { type Fields, orderKey, type Message } from './orders.ts';
import { type Call, creates, reads, type Run } from './works.ts';

type Account = Node<{ apiKey: unknown }> & { connect?: () => Framegate };
type DoneCallback = (error?: Error) => void;
type StoreSettings = { module?: unknown; config?: { cache?: boolean } };

/** Maximum wait for a generation, in ms: longer than any generation may take. */
const timeoutMs = 26 * 3_600_000;
/** Maximum number of messages that a node processes at a time. */
const maxRuns = 200;

/** The remedy for an error in Node-RED, by its code. */
const advice: Readonly<Record<string, string>> = {
  invalid_api_key: 'Open the Framegate account of this node and enter the API key again.',
  invalid_api_key_form: 'Open the Framegate account of this node and enter the API key again.',
  invalid_base_url: 'Open the Framegate account of this node and correct the base URL.',
  not_found: 'Open the Framegate account of this node and correct the base URL.',
  model_not_found: 'Open this node and correct the model.',
  price_above_limit: 'Open this node and raise Maximum credits, or choose a cheaper setting.',
  key_limit_reached: "Raise the limit on your account's API keys page.",
  input_host_not_approved: "Request the host on your account's API keys page.",
  generation_not_found: 'Check msg.generationId, and the Framegate account of this node.',
  idempotency_key_reused: 'Set msg.idempotencyKey to a different ID for each order.',
};

/** Registers the nodes. */
export default function framegate(red: NodeAPI): void {
  function account(this: Account, config: NodeDef & { url: string }) {
    red.nodes.createNode(this, config);
    const agent = `framegate-node-red/${manifest.version} (Node.js/${process.versions.node})`;
    let client: Framegate | undefined;
    this.connect = () =>
      (client ??= new Framegate({
        baseUrl: config.url.trim(),
        apiKey: String(this.credentials.apiKey ?? '').trim(),
        headers: { 'user-agent': agent },
      }));
  }
  const apiKey = { type: 'password' } as const;
  red.nodes.registerType('framegate-account', account, { credentials: { apiKey } });
  for (const [kind, work] of Object.entries({ ...creates, ...reads })) {
    red.nodes.registerType(`framegate-${kind}`, function (this: Node, fields: NodeDef & Fields) {
      red.nodes.createNode(this, fields);
      serve(this, red, kind in creates, (call) => {
        const client = (red.nodes.getNode(fields.account) as Account | null)?.connect?.();
        if (!client) throw new Error('Open this node and choose a Framegate account.');
        return work({ ...call, client, fields });
      });
    });
  }
}

/** The context store that writes immediately, by the settings of Node-RED; undefined if there is none. */
function diskStoreOf(settings: object): string | undefined {
  const { contextStorage = {} } = settings as { contextStorage?: Record<string, StoreSettings> };
  return Object.entries(contextStorage).find(([, { module = 'memory', config }]) =>
    module === 'localfilesystem' ? config?.cache === false : module !== 'memory',
  )?.[0];
}

type MessageWork = (call: Pick<Call, 'run' | 'options'>) => Promise<object>;

/** Processes the messages of a node, including those that were in progress when it last stopped. */
function serve(node: Node, red: NodeAPI, isPaid: boolean, work: MessageWork): void {
  const stop = new AbortController();
  const context = node.context();
  const store = diskStoreOf(red.settings);
  const runs = new Set<Run>();
  const working = new Set<Promise<void>>();
  if (isPaid && !store) node.warn('Orders are not kept on disk: see "Restarts" in this node.');

  const write = promisify((callback: DoneCallback) =>
    context.set('runs', [...runs], store, callback),
  );
  const show = (text = `${runs.size} in progress`) =>
    node.status(runs.size === 0 ? {} : { fill: 'blue', shape: 'dot', text });

  /** Ends with a message or an error. A stopped run is kept for the next start. */
  async function follow(
    run: Run,
    message: Message,
    send: Node['send'],
    callback: DoneCallback,
  ): Promise<void> {
    const onUpdate: Call['options']['onUpdate'] = ({ id, status }, { share = 0 }) => {
      show(runs.size > 1 ? undefined : `${status}, ${Math.round(share * 100)} %`);
      if (run.id === id) return;
      run.id = id;
      write().catch(node.warn.bind(node));
    };
    try {
      if (runs.add(run).size > maxRuns) {
        throw new Error(`This node is already processing ${maxRuns} messages.`);
      }
      show();
      await write();
      const options = { signal: stop.signal, timeoutMs, onUpdate };
      Object.assign(message, await work({ run, options }));
      // The message is sent before the run is removed: after a crash it is sent twice rather than never.
      send(message as object as never);
      callback();
    } catch (error) {
      if (stop.signal.aborted) return;
      callback(explain(message, error, run));
    }
    runs.delete(run);
    await write().catch(node.warn.bind(node));
    show();
  }

  function begin(...run: Parameters<typeof follow>): void {
    const following = follow(...run).finally(() => working.delete(following));
    working.add(following);
  }

  const read = promisify((callback: (error: Error | null, stored?: unknown) => void) =>
    context.get('runs', store, callback),
  );
  const opening = read().then((stored) => {
    for (const run of (stored ?? []) as Run[]) runs.add(run);
    for (const run of runs) {
      const message = red.util.cloneMessage(run.message);
      begin(run, message, node.send.bind(node), (error) => error && node.error(error, message));
    }
  });
  opening.catch((error: Error) => node.error(error));
  const start = (message: Message, send: Node['send'], callback: DoneCallback) => {
    const key = isPaid ? orderKey(message) : undefined;
    // Open HTTP requests cannot be stored, and do not survive a restart.
    const copy = red.util.cloneMessage({ ...message, req: undefined, res: undefined });
    begin({ at: Date.now(), message: copy, key }, message, send, callback);
  };
  node.on('input', (message: object, send, callback) => {
    opening.then(() => start(message as Message, send, callback)).catch(callback);
  });
  node.on('close', (callback: () => void) => {
    stop.abort();
    void Promise.allSettled([opening, ...working]).then(() => callback());
  });
}

/** The error for a catch node. Its message gets the code and the remedy. */
function explain(message: Message, error: unknown, { key }: Run): Error {
  if (!(error instanceof FramegateError)) return error as Error;
  const { code, generationId, mayHaveCreated } = error;
  Object.assign(message, { errorCode: code }, generationId && { generationId });
  // After a failure, the same key returns the same failure: another attempt needs a new key.
  if (key && !(error instanceof GenerationFailedError)) message['idempotencyKey'] = key;
  const remedy = mayHaveCreated
    ? 'Send this message again: it already contains the key.'
    : advice[code];
  return remedy ? new Error(`${error.message} ${remedy}`, { cause: error }) : error;
}
