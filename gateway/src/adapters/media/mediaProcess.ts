import './denyNetwork.ts';
import type { ChildAnswer, MediaTask } from './mediaTask.ts';
import { prepareTask } from './prepareTask.ts';

/**
 * The child process in which bytes of customers and providers are parsed: one task from the command
 * line, one answer on standard output. An error of a library makes the file invalid; a
 * library that cannot be loaded, or a file that cannot be opened, is our fault.
 */

// Libraries print a warning there for each oddity of a file.
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
