/**
 * Preloaded into a gateway that a test started with an IPC channel: its wall clock can be wrong, on request or from the
 * start, and it does not outlive the test.
 */
import { type Order, skewVariable } from './faultOrders.ts';

let skewMs = Number(process.env[skewVariable] ?? 0);
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + skewMs] : args) as object,
  get: (target, name) =>
    name === 'now' ? () => RealDate.now() + skewMs : (Reflect.get(target, name) as unknown),
});
process.on('message', (order: Order) => {
  if ('skewMs' in order) skewMs = order.skewMs;
});
process.on('disconnect', () => process.exit(1));
