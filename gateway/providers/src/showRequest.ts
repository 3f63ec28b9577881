import type { RouteEntry } from './configuredRoutes.ts';
import { ParametersDroppedError, type RehearsedRequest } from './droppedParameters.ts';
import { withoutKey } from './keyForms.ts';
import type { ShownRequest } from './route.ts';
import { fieldShown, type RouteParts } from './routeParts.ts';

/** Options that a package uses itself: how often and how long it polls. */
const isOwn = /^(poll|max_?wait)/i;

/**
 * The request that an order would send, without the key; the entry's options without effect on it, since a package
 * leaves out unknown ones; and the promises that it leaves out.
 * @param write Rehearses the order with an entry.
 * @param check The check before an order.
 */
export async function showRequest(
  write: (entry: RouteEntry) => Promise<RehearsedRequest | null>,
  check: () => Promise<void>,
  { entry, dialect, http, plan, failureRules: { apiKey } }: RouteParts,
): Promise<ShownRequest | null> {
  const rehearsed = await write(entry);
  if (!rehearsed || !http) return null;
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(entry.options)) {
    if (value === null || isOwn.test(name) || rehearsed.body.includes(`"${name}"`)) continue;
    const options = Object.fromEntries(
      Object.entries(entry.options).filter(([each]) => each !== name),
    );
    const without = await write({ ...entry, options });
    if (without?.url === rehearsed.url && without.body === rehearsed.body) ignored.push(name);
  }
  const url = http.resolve(dialect.submitUrl?.(rehearsed.url, entry.model) ?? rehearsed.url).href;
  return {
    method: rehearsed.method,
    url: withoutKey(url, apiKey),
    body: withoutKey(rehearsed.body, apiKey),
    ignored,
    dropped: (await findDropped(check)).map((feature) => fieldShown(feature, plan.send)),
  };
}

async function findDropped(check: () => Promise<void>): Promise<readonly string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof ParametersDroppedError) return error.parameters;
    throw error;
  }
}
