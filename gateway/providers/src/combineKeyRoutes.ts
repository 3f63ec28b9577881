import type { ProviderKey } from './configuredRoutes.ts';
import { keyPrint } from './providerKeys.ts';
import type { CancelResult, Route } from './route.ts';

const cannotCancel: CancelResult = { isAccepted: false, note: 'it cannot be cancelled' };

/**
 * Combines the routes of a provider's keys into one. Orders are polled and cancelled with the key that made them, or
 * with the first if that key no longer exists.
 * @param keys In the operator's order; at least one that is not a former key.
 * @param routes By key name.
 */
export function combineKeyRoutes(
  keys: readonly ProviderKey[],
  routes: ReadonlyMap<string, Route>,
): Route {
  const names = keys.filter(({ isFormer }) => isFormer !== true).map(({ name }) => name);
  const [first] = routes.values();
  if (!first) throw new Error('a provider without a key');
  let turn = 0;
  const by = (key: string | undefined): Route => (key && routes.get(key)) || first;
  return {
    ...first,
    keys: names,
    knowsKey: (key) => routes.has(key),
    keyPrintOf: (key) => keyPrint((keys.find(({ name }) => name === key) ?? keys[0])?.secret ?? ''),
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
