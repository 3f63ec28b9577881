import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Preloaded into a gateway process (`node --import`): from SIGUSR2 on each of its transactions stops
 * before the commit, with all of its statements done, so that a test can kill the process inside one.
 */
interface Driver {
  ClientSession: { prototype: { commitTransaction: () => Promise<unknown> } };
}

// The driver of the gateway that is started, which may be one of another working tree.
const program = createRequire(pathToFileURL(process.argv[1] ?? ''));
const { ClientSession } = program('mongodb') as Driver;
const commit = ClientSession.prototype.commitTransaction;
let isHolding = false;
process.on('SIGUSR2', () => (isHolding = true));
ClientSession.prototype.commitTransaction = function commitOrHold(this: unknown) {
  return isHolding ? new Promise(() => undefined) : commit.call(this);
};
