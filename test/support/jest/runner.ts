// @ts-expect-error -- the package has no types
import ChildProcessRunner from 'jest-light-runner/child-process';
import Tinypool from 'tinypool';

/*
 * jest-light-runner 0.8.2 sends its response to the first worker that requests its settings to all workers, then
 * forgets them. A worker that starts slightly later misses the response, asks in vain and waits forever, and its test
 * file with it. Here each worker has its own channel, so that it gets the response to its own question.
 */
type Listener = (message: unknown) => void;
interface Channel {
  onMessage(listener: Listener): void;
  postMessage(message: unknown): void;
}

const ofOne = (shared: Channel): Channel => {
  let own: Listener | undefined;
  return {
    onMessage: (listener) => (own = listener),
    postMessage(message) {
      if (own) shared.onMessage(own);
      shared.postMessage(message);
    },
  };
};

type Run = (task: unknown, options?: { channel?: Channel }) => Promise<unknown>;
const pool = Tinypool.prototype as unknown as { run: Run };
const { run } = pool;
pool.run = function (task, { channel, ...options } = {}) {
  return run.call(this, task, channel ? { ...options, channel: ofOne(channel) } : options);
};

export default ChildProcessRunner;
