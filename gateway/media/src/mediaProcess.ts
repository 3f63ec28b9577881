import './denyNetwork.ts';
import { createInterface } from 'node:readline';
import type { SignClaim } from './addManifest.ts';
import type {
  ChildResponse,
  FinishedNote,
  MediaTask,
  SignQuestion,
  SignReply,
} from './mediaTask.ts';
import { prepareTask } from './prepareTask.ts';
import { isOfSystem, reasonOf } from './taskErrors.ts';

/**
 * The child process that parses customers' and providers' bytes. It reads one task per line of standard input and
 * answers with one line on standard output, until the input ends. Before its response it may ask for a signature, and
 * note that the result is finished and only its posters are missing. A library's error makes the file invalid; a
 * library that cannot be loaded, a file that cannot be opened, or a full disk is our own fault.
 */

// Libraries print warnings about oddities of a file.
const drop = () => undefined;
Object.assign(console, { log: drop, info: drop, warn: drop, error: drop, debug: drop });

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (message: ChildResponse | FinishedNote | SignQuestion) =>
  process.stdout.write(`${JSON.stringify(message)}\n`);
for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  say(await makeResponse(line.value));
}

function makeResponse(line: string): Promise<ChildResponse> {
  const noteFinished = (finished: FinishedNote['finished']) => say({ finished });
  return prepareTask(JSON.parse(line) as MediaTask, {
    sign: askToSign,
    recordFinished: noteFinished,
  }).then(
    (work) =>
      work().catch((error: unknown): ChildResponse =>
        isOfSystem(error) ? { fault: reasonOf(error) } : { ok: false, reason: reasonOf(error) },
      ),
    (error: unknown): ChildResponse => ({ fault: reasonOf(error) }),
  );
}

function askToSign(claim: Uint8Array): ReturnType<SignClaim> {
  say({ claim: Buffer.from(claim).toString('base64') });
  return lines.next().then(({ value }) => {
    const reply = JSON.parse(value as string) as SignReply;
    if ('refused' in reply) throw new Error(reply.refused);
    return Buffer.from(reply.signature, 'base64');
  });
}
