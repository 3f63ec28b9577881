import './denyNetwork.ts';
import { createInterface } from 'node:readline';
import type { ChildAnswer, MediaTask } from './mediaTask.ts';
import { prepareTask } from './prepareTask.ts';

/**
 * The child process that parses customers' and providers' bytes: a task in each line of standard input, its
 * answer in a line of standard output, until the input ends. A library's error makes the file invalid; a library
 * that cannot be loaded or a file that cannot be opened is our own fault.
 */

// Libraries print warnings about oddities of a file.
const drop = () => undefined;
Object.assign(console, { log: drop, info: drop, warn: drop, error: drop, debug: drop });

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answerTo(line))}\n`);
}

function answerTo(line: string): Promise<ChildAnswer> {
  return prepareTask(JSON.parse(line) as MediaTask).then(
    (work) =>
      work().catch((error: unknown): ChildAnswer => ({ ok: false, reason: messageOf(error) })),
    (error: unknown): ChildAnswer => ({ fault: messageOf(error) }),
  );
}

function messageOf(error: unknown): string {
  return String(error).slice(0, 200);
}
