import type { Capabilities } from './generated/wire.ts';
import type {
  ChoiceRow,
  FlagRow,
  FractionRow,
  IntegerRow,
  Parameter,
  ParameterTable,
  RowOf,
  TextRow,
} from './parameterRows.ts';
import { type Extras, parameterTables } from './parameters.ts';

/** A function for the rows of each kind. */
export type ByKind<Rest extends unknown[], Result> = {
  readonly [K in Parameter['kind']]: (row: RowOf<K>, ...rest: Rest) => Result;
};

/** Calls the function of a row's kind. */
export function byKind<Rest extends unknown[], Result>(
  kinds: ByKind<Rest, Result>,
  row: Parameter,
  ...rest: Rest
): Result {
  return (kinds[row.kind] as (row: Parameter, ...rest: Rest) => Result)(row, ...rest);
}

/**
 * The default values in the order of the table; undefined if the server chooses one. A fraction or text without a
 * default is left out.
 */
export function usualValues(
  table: ParameterTable,
): Record<string, number | string | boolean | undefined> {
  const used = Object.entries(table).filter(
    ([, row]) => row.default !== null || row.kind === 'integer',
  );
  return Object.fromEntries(used.map(([name, row]) => [name, row.default ?? undefined]));
}

/** The first ones in forms and messages, in this order; the others follow in the order of the table. */
const first = ['duration_seconds', 'n', 'resolution', 'aspect_ratio'];

/** Names and rows in the order of forms. */
export function inFormOrder(table: ParameterTable): [string, Parameter][] {
  const rest = Object.keys(table).filter((name) => !first.includes(name));
  return [...first, ...rest].flatMap((name) => {
    const row = table[name];
    return row === undefined ? [] : [[name, row]];
  });
}

/** Name on pages, in sentence case. */
export function pageLabel({ label, short }: Parameter): string {
  return short ?? label.charAt(0) + label.slice(1).toLowerCase();
}

/** Capabilities of one model, or of several together. */
type OfferedCapabilities = Readonly<Partial<Record<keyof Capabilities, unknown>>>;

/** A model's bounds for a number; null if it does not take the parameter. */
export function rangeOf(
  row: IntegerRow | FractionRow,
  offered: OfferedCapabilities,
): { min: number; max: number; default?: number } | null {
  if (row.capability === null) return row.range;
  return (offered[row.capability] ?? null) as IntegerRow['range'] | null;
}

/** Characters that a model takes of a text; null if it does not take the parameter. */
export function maxLengthOf(row: TextRow, offered: OfferedCapabilities): number | null {
  if (row.capability === null) return row.maxLength;
  const bounds = (offered[row.capability] ?? null) as { max_length: number } | null;
  return bounds && bounds.max_length;
}

/** Values that a model offers. */
export function choicesOf(row: ChoiceRow, offered: OfferedCapabilities): readonly string[] {
  return row.capability === null ? row.values : (offered[row.capability] as readonly string[]);
}

/** Whether a model supports a flag in at least one mode. */
export function hasFlag(row: FlagRow, offered: OfferedCapabilities): boolean {
  const own = row.capability === null ? true : offered[row.capability];
  return Array.isArray(own) ? own.length > 0 : own === true;
}

/** A fraction or text whose bounds each model has: its name, and its field in the capabilities. */
export type Extra = (FractionRow | TextRow) & { name: string; capability: keyof Extras };

/** The fractions and texts of a type. */
export function extrasOf(type: keyof typeof parameterTables): readonly Extra[] {
  return Object.entries(parameterTables[type]).flatMap(([name, row]) =>
    row.kind === 'fraction' || row.kind === 'text' ? [{ ...row, name } as Extra] : [],
  );
}

/** The extras of both types, without duplicates. */
export const allExtras: readonly Extra[] = [
  ...new Map(
    [...extrasOf('video'), ...extrasOf('image')].map((each) => [each.capability, each]),
  ).values(),
];
