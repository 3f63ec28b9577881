/**
 * Preloaded into a gateway that a test started with an IPC channel: its wall clock can be wrong, on request or from the
 * start, and it does not outlive the test.
 */
import { type FaultCommand, skewVariable } from './faultCommands.ts';

let skewMs = Number(process.env[skewVariable] ?? 0);
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + skewMs] : args) as object,
  get: (target, name) =>
    name === 'now' ? () => RealDate.now() + skewMs : (Reflect.get(target, name) as unknown),
});
process.on('message', (command: FaultCommand) => {
  if ('skewMs' in command) skewMs = command.skewMs;
});
process.on('disconnect', () => process.exit(1));
