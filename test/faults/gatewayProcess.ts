/**
 * A gateway as `npm start` runs it, in a process of its own that a test may have killed or stopped at a
 * labelled step, and whose wall clock may be wrong. Settings come from the environment, orders over IPC.
 */
import { writeSync } from 'node:fs';
import type { FaultPoint } from '../../gateway/src/application/ports/faultPoint.ts';
import type { Timings } from '../../gateway/src/application/workDeps.ts';
import { skewVariable, timingsVariable, type Order, type Word } from './faultOrders.ts';
import { createLog } from '../../gateway/src/adapters/system/log.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { startGateway } from '../../gateway/src/gateway.ts';

let skewMs = Number(process.env[skewVariable] ?? 0);
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + skewMs] : args) as object,
  get: (target, name) =>
    name === 'now' ? () => RealDate.now() + skewMs : (Reflect.get(target, name) as unknown),
});

let armed: Extract<Order, { arm: object }>['arm'] | null = null;
process.on('message', (order: Order) => {
  if ('arm' in order) armed = order.arm;
  else skewMs = order.skewMs;
});
process.on('disconnect', () => process.exit(1));

function reach(point: FaultPoint): void | Promise<void> {
  if (armed?.point !== point) return;
  armed.times -= 1;
  if (armed.times > 0) return;
  const { signal } = armed;
  armed = null;
  // Written at once, so that the test sees it whatever becomes of the process.
  writeSync(1, `stopping at ${point}\n`);
  process.kill(process.pid, signal);
  // Nothing more is done by a process that is dead in a moment.
  if (signal === 'SIGKILL') return new Promise(() => undefined);
}

const timings = process.env[timingsVariable];
const config = loadConfig();
const gateway = await startGateway(config, {
  log: createLog(config.logLevel),
  reach,
  ...(timings !== undefined && { timings: JSON.parse(timings) as Timings }),
});
process.on('SIGTERM', () => {
  void gateway.stop().then(() => process.exit(0));
});
process.send?.({ ready: gateway.url } satisfies Word);
