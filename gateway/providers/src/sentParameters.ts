import { parametersOf, usualValues, type Parameter } from '@framegate/contract';
import type { Dialect, ImageOrder, VideoOrder } from './dialect.ts';
import type { RouteSupport, SupportRow } from './routeSupport.ts';

/**
 * The support of a model without the parameters that the dialect does not send: whatever a table or an operator
 * declares, a value that never leaves is not covered. A parameter is sent if calls with different values of it
 * differ.
 */
export function sentSupport(
  dialect: Pick<Dialect, 'videoCall' | 'imageCall'>,
  type: SupportRow['type'],
  model: string,
  support: RouteSupport,
): RouteSupport {
  const limits: Record<string, unknown> = { ...support };
  for (const [name, row] of Object.entries(parametersOf[type])) {
    if (row.support === null || !mustDeclare(row)) continue;
    const { name: limit, undeclared } = row.support;
    // What a provider always adds need not be sent.
    if (limits[limit] === undeclared || limits[limit] === 'always') continue;
    const calls = probes(row).map((value) =>
      JSON.stringify(callWith(dialect, type, { model, support, name, value })),
    );
    if (new Set(calls).size === 1) limits[limit] = undeclared;
  }
  return limits as unknown as RouteSupport;
}

/** Whether providers lack a parameter unless they declare it. */
function mustDeclare({ support, apart }: Parameter): boolean {
  return support !== null && support.undeclared !== null && !apart;
}

function probes(row: Parameter): readonly (string | number | boolean)[] {
  if (row.kind === 'flag') return [false, true];
  if (row.kind === 'choice') return row.values;
  return [row.range?.min ?? 1, row.range?.max ?? 2];
}

function callWith(
  dialect: Pick<Dialect, 'videoCall' | 'imageCall'>,
  type: SupportRow['type'],
  probe: { model: string; support: RouteSupport; name: string; value: string | number | boolean },
): object {
  const { model, support, name, value } = probe;
  const parameters = { ...usualValues(parametersOf[type]), seed: 1, [name]: value };
  const order = { model, support, parameters, references: [] } as unknown;
  return type === 'video'
    ? dialect.videoCall(order as VideoOrder)
    : dialect.imageCall(order as ImageOrder);
}
