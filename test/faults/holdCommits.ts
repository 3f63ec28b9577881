import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Preloaded into a gateway process (`node --import`). From SIGUSR2 on, each of its transactions stops before the
 * commit, after all of its statements, so that a test can kill the process inside one. Giving up a request does not end
 * its transaction either.
 */
type End = () => Promise<unknown>;
interface Driver {
  ClientSession: { prototype: { commitTransaction: End; abortTransaction: End } };
}

// The driver of the started gateway, which can belong to another working tree.
const program = createRequire(pathToFileURL(process.argv[1] ?? ''));
const { ClientSession } = program('mongodb') as Driver;
const { commitTransaction: commit, abortTransaction: abort } = ClientSession.prototype;
const held = new WeakSet();
const never = new Promise(() => undefined);
let isHolding = false;
process.on('SIGUSR2', () => (isHolding = true));
ClientSession.prototype.commitTransaction = function commitOrHold(this: object) {
  if (isHolding) held.add(this);
  return isHolding ? never : commit.call(this);
};
ClientSession.prototype.abortTransaction = function abortOrHold(this: object) {
  return held.has(this) ? never : abort.call(this);
};
