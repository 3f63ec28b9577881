import type { CancelResult, Route } from '../../application/ports/providers.ts';

const cannotCancel: CancelResult = { accepted: false, note: 'it cannot be cancelled' };

/**
 * One route over all keys of its provider, from a route for each of them. What was ordered with a key is
 * polled and cancelled with that key; one that is gone gives way to the first.
 * @param routes By the names of the keys, in the operator's order; at least one.
 */
export function overKeys(routes: ReadonlyMap<string, Route>): Route {
  const names = [...routes.keys()];
  const [first] = routes.values();
  if (!first) throw new Error('a provider without a key');
  let turn = 0;
  const by = (key: string | undefined): Route => (key && routes.get(key)) || first;
  return {
    ...first,
    keys: names,
    keysInTurn() {
      const start = turn++ % names.length;
      return [...names.slice(start), ...names.slice(0, start)];
    },
    submit: (request, signal, key) => by(key).submit(request, signal),
    poll: (operation, request, signal, source, key) =>
      by(key).poll(operation, request, signal, source),
    ...(first.cancel && {
      cancel: async (operation, signal, key) =>
        (await by(key).cancel?.(operation, signal)) ?? cannotCancel,
    }),
  };
}
