import './denyNetwork.ts';
import type { ChildAnswer, MediaTask } from './mediaTask.ts';
import { prepareTask } from './prepareTask.ts';

/**
 * The child process that parses customers' and providers' bytes: one task from the command line, one answer on
 * standard output. A library's error makes the file invalid; a library that cannot be loaded or a file that
 * cannot be opened is our own fault.
 */

// Libraries print warnings about oddities of a file.
const drop = () => undefined;
Object.assign(console, { log: drop, info: drop, warn: drop, error: drop, debug: drop });

const answer = await prepareTask(JSON.parse(process.argv[2] ?? '') as MediaTask).then(
  (work) =>
    work().catch((error: unknown): ChildAnswer => ({ ok: false, reason: messageOf(error) })),
  (error: unknown): ChildAnswer => ({ fault: messageOf(error) }),
);
process.stdout.write(JSON.stringify(answer));

function messageOf(error: unknown): string {
  return String(error).slice(0, 200);
}
