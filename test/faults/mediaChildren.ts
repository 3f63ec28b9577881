import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repeatEvery } from '@framegate/limits';

const run = promisify(execFile);
const everyMs = 50;

/**
 * Stops (SIGSTOP) every media child that a process starts, as on an overloaded machine: files to be cleaned wait from
 * then on.
 */
export function holdMediaChildren(parent: number): () => void {
  const stopped = new Set<number>();
  const round = async () => {
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
    for (const line of stdout.split('\n')) {
      const [, pid, ppid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      if (Number(ppid) !== parent || !args.includes('mediaProcess') || stopped.has(Number(pid))) {
        continue;
      }
      stopped.add(Number(pid));
      signal(Number(pid), 'SIGSTOP');
    }
  };
  const stop = repeatEvery(everyMs, round, () => undefined);
  return () => {
    stop();
    for (const pid of stopped) signal(pid, 'SIGKILL');
  };
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
