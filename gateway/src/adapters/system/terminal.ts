import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from '../../application/ports/system.ts';
import { CommandError } from '../../domain/installation/commandError.ts';

/** The operator's terminal; null if input or messages lead elsewhere. Questions go to standard error. */
export function openTerminal(signal: AbortSignal): Terminal | null {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;

  async function answer(question: string, isSecret: boolean): Promise<string> {
    let isMuted = false;
    const output = new Writable({
      write(piece: Buffer, _encoding, callback) {
        if (!isMuted) stderr.write(piece);
        callback();
      },
    });
    const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const closing = new Promise<never>((_resolve, reject) => {
      lines.once('close', () => {
        reject(
          new CommandError(
            'The input ended before all questions were answered. Nothing was written.',
          ),
        );
      });
    });
    try {
      const answered = lines.question(question, { signal });
      isMuted = isSecret;
      return (await Promise.race([answered, closing])).trim();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      closing.catch(() => undefined);
      lines.close();
      if (isSecret) stderr.write('\n');
    }
  }

  return {
    ask: (question) => answer(question, false),
    askSecret: (question) => answer(question, true),
  };
}
