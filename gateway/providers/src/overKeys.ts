import { createHmac } from 'node:crypto';
import type { CancelResult, Route } from './route.ts';

const cannotCancel: CancelResult = { accepted: false, note: 'it cannot be cancelled' };

/**
 * Combines the routes of a provider's keys into one. Orders are polled and cancelled with the key that made them, or
 * with the first if that key no longer exists.
 * @param routes By key name, in the operator's order; at least one.
 * @param secrets The keys, by name.
 */
export function overKeys(
  routes: ReadonlyMap<string, Route>,
  secrets: ReadonlyMap<string, string>,
): Route {
  const names = [...routes.keys()];
  const [first] = routes.values();
  if (!first) throw new Error('a provider without a key');
  let turn = 0;
  const by = (key: string | undefined): Route => (key && routes.get(key)) || first;
  return {
    ...first,
    keys: names,
    keyPrintOf: (key = '') => keyPrint(secrets.get(key) ?? [...secrets.values()][0] ?? ''),
    keysInTurn() {
      const start = turn++ % names.length;
      return [...names.slice(start), ...names.slice(0, start)];
    },
    submit: (request, signal, key) => by(key).submit(request, signal),
    poll: (operation, request, signal, source, key) =>
      by(key).poll(operation, request, signal, source),
    ...(first.probe && {
      probe: async (signal, key) => (await by(key).probe?.(signal)) ?? null,
    }),
    ...(first.cancel && {
      cancel: async (operation, signal, key) =>
        (await by(key).cancel?.(operation, signal)) ?? cannotCancel,
    }),
  };
}

/**
 * A short fingerprint of a key, to be stored with its orders. A vendor's key is random, so 48 bits of an HMAC under it
 * help nobody to guess it.
 */
function keyPrint(secret: string): string {
  return createHmac('sha256', secret).update('fingerprint of a key').digest('hex').slice(0, 12);
}
