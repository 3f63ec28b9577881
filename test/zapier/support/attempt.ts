import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { hurry } from './hurry.ts';

/*
 * One run of the app's handler in a separate process, like a fresh Lambda: reads one task from its parent, responses
 * one outcome and ends. The core and the app are the package's own.
 */

/** The parent's message. */
export interface AttemptTask {
  /** Folder of the built app, with its node_modules. */
  folder: string;
  /** The module that exports the handler; without it, one is made of `dist/index.js`. */
  handlerFile?: string;
  event: Record<string, unknown>;
  /** Ms by which this process's clock is ahead; pauses inside the step take no time. */
  aheadMs: number;
}

/** The response of this process. */
export type Outcome =
  | { ok: true; results: unknown }
  | { ok: false; name: string; message: string; delay: number | null };

type Handler = (event: unknown) => Promise<{ results?: unknown }>;

async function loadHandler({ folder, handlerFile }: AttemptTask): Promise<Handler> {
  const load = (file: string) =>
    import(pathToFileURL(`${folder}/${file}`).href) as Promise<{
      default: object;
      handler: Handler;
    }>;
  if (handlerFile !== undefined) return (await load(handlerFile)).handler;
  const core = createRequire(`${folder}/package.json`)('zapier-platform-core') as {
    createAppHandler(app: object): Handler;
  };
  return core.createAppHandler((await load('dist/index.js')).default);
}

async function run(task: AttemptTask): Promise<Outcome> {
  hurry(task.aheadMs);
  try {
    const { results } = await (await loadHandler(task))(task.event);
    return { ok: true, results };
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'ThrottledError' && name !== 'AppError') {
      return { ok: false, name, message, delay: null };
    }
    const told = JSON.parse(message) as { message: string; delay?: number };
    return { ok: false, name, message: told.message, delay: told.delay ?? null };
  }
}

process.once('message', (task: AttemptTask) => {
  void run(task).then((outcome) => {
    process.send?.(outcome, () => process.exit(0));
  });
});
