import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FaultCommand, StaffCommand, Word } from './faultCommands.ts';

/** A gateway in a separate process. */
export interface GatewayProcess {
  /** Origin, such as `http://127.0.0.1:40123`; empty for a worker. */
  origin: string;
  pid: number;
  command(command: FaultCommand): void;
  /** Acts in it as a staff member. @returns The console's response; null if it died before. */
  act(command: StaffCommand): Promise<string | null>;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Resolves when it is dead, with the cause. */
  ended: Promise<string>;
  isAlive(): boolean;
  /** The last lines of its log. */
  log(): string;
  /** A clean stop. */
  stop(): Promise<void>;
}

/** Program of a gateway process. */
export interface GatewayProgram {
  /** Arguments of Node. */
  args: readonly string[];
  cwd?: string;
  /** Resolves when it answers. @returns Its URL; null for a worker. */
  waitUntilReady(child: ChildProcess): Promise<string | null>;
}

/** A gateway that accepts all orders. */
const faultProgram: GatewayProgram = {
  args: [fileURLToPath(new URL('./gatewayProcess.ts', import.meta.url))],
  async waitUntilReady(child) {
    const [word] = (await once(child, 'message')) as [Word];
    return 'ready' in word ? word.ready : null;
  },
};

const keptBytes = 20_000;

/** Starts a gateway process and waits until it answers. @throws With its log if it exits instead. */
export async function startGatewayProcess(
  env: Record<string, string>,
  program = faultProgram,
): Promise<GatewayProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, program.args, {
    ...(program.cwd !== undefined && { cwd: program.cwd }),
    env: { ...(PATH && { PATH }), ...(HOME && { HOME }), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-keptBytes);
    });
  }
  let end = '';
  const ended = once(child, 'exit').then(([code, signal]) => {
    end = String(signal ?? code);
    return end;
  });
  const origin = await Promise.race([
    program.waitUntilReady(child),
    ended.then((how) => {
      throw new Error(`a gateway process ended with ${how} at its start: ${kept}`);
    }),
  ]);
  const said = async (number: number): Promise<string> => {
    for (;;) {
      const [word] = (await once(child, 'message')) as [Word];
      if ('said' in word && word.number === number) return word.said;
    }
  };
  return {
    origin: origin ?? '',
    pid: child.pid ?? 0,
    command: (command) => {
      // A process that was just killed accepts no commands.
      child.send(command, () => undefined);
    },
    async act(command) {
      if (end !== '') return null;
      const response = Promise.race([said(command.number), ended.then(() => null)]);
      child.send({ staff: command } satisfies FaultCommand, () => undefined);
      return response;
    },
    signal: (signal) => void child.kill(signal),
    ended,
    isAlive: () => end === '',
    log: () => kept,
    async stop() {
      if (end !== '') return;
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
