import { readFile } from 'node:fs/promises';
import { runProgram } from './runProgram.ts';

/** A process of this machine, at the moment of reading. */
export interface RunningProcess {
  pid: number;
  /** With the pid, unlike any other process since the machine was set up: letters, digits, dots. */
  startedAt: string;
  /** Its command line, words separated by a space. */
  command: string;
}

/** Reads a process from /proc (Linux) or ps (elsewhere); undefined when it is gone or has ended. */
export function readProcess(pid: number): Promise<RunningProcess | undefined> {
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

async function readFromProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const [stat, commandLine, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // proc(5): after the name in brackets come the state (field 3), the number of threads (20) and
    // the start time (22). A zombie has ended, but as long as it has other threads its files and
    // sockets are still open.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
    if (ticks === undefined || (state === 'Z' && threads <= 1) || state === 'X') return undefined;
    const command = commandLine.replaceAll('\0', ' ').trim();
    return { pid, startedAt: `${boot.slice(0, 8)}.${ticks}`, command };
  } catch {
    return undefined;
  }
}

async function readFromPs(pid: number): Promise<RunningProcess | undefined> {
  const columns = ['stat=', 'lstart=', 'command='].flatMap((column) => ['-o', column]);
  const args = ['-ww', ...columns, '-p', `${pid}`];
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
  const { stdout } = await runProgram('ps', args, { timeoutMs: 5_000, env });
  // "Ss   Sat Nov 21 06:15:00 2026     /usr/bin/mongod --dbpath ..."
  const match = /^\s*(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/m.exec(stdout);
  const [, state, started, command] = match ?? [];
  if (started === undefined || command === undefined || state?.startsWith('Z')) return undefined;
  return { pid, startedAt: started.replaceAll(/[^A-Za-z0-9]+/g, '.'), command: command.trim() };
}
