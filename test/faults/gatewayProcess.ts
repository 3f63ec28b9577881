/**
 * A gateway as started by `npm start`, in a separate process that a test can kill or stop at a labelled step, and whose
 * wall clock can be wrong. Settings come from the environment, commands over IPC.
 */
import './skewClock.ts';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createLog } from '../../gateway/src/adapters/system/log.ts';
import type { Timings } from '../../gateway/src/application/generations/timings.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { startGateway } from '../../gateway/src/gateway.ts';
import {
  type FaultCommand,
  type StaffCommand,
  timingsVariable,
  type Word,
} from './faultCommands.ts';
import { createStaffConsole } from './staffConsole.ts';

let staffConsole: ReturnType<typeof createStaffConsole> | null = null;
let armed: Extract<FaultCommand, { arm: object }>['arm'] | null = null;
process.on('message', (command: FaultCommand) => {
  if ('arm' in command) armed = command.arm;
  else if ('disarm' in command) armed = null;
  else if ('staff' in command) void act(command.staff);
});

function reachFaultPoint(point: FaultPoint): void | Promise<void> {
  if (armed?.point !== point) return;
  armed.times -= 1;
  if (armed.times > 0) return;
  const { signal } = armed;
  armed = null;
  return stopHere(point, signal);
}

function stopHere(point: string, signal: 'SIGKILL' | 'SIGSTOP'): void | Promise<void> {
  // Written immediately, so that the test sees it whatever happens to the process.
  writeSync(1, `stopping at ${point}\n`);
  process.kill(process.pid, signal);
  // The process is about to die: do nothing more.
  if (signal === 'SIGKILL') return new Promise(() => undefined);
}

const die = (point: string) => stopHere(point, 'SIGKILL');
async function act(command: StaffCommand): Promise<void> {
  staffConsole ??= createStaffConsole(gateway, die);
  const said = await staffConsole.act(command);
  process.send?.({ said, number: command.number } satisfies Word);
}

const timings = process.env[timingsVariable];
const config = loadConfig();
const gateway = await startGateway(config, {
  log: createLog(config.logLevel),
  reachFaultPoint,
  ...(timings !== undefined && { timings: JSON.parse(timings) as Timings }),
});
process.on('SIGTERM', () => {
  void gateway.stop().then(() => process.exit(0));
});
process.send?.({ ready: gateway.url } satisfies Word);
// A killed process saves nothing on exit: the next ones start in half the time.
flushCompileCache();
