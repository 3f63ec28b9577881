import type { Parameter, ParameterTable } from './generated/contract.ts';
import { readChoice, readFlag, readInteger, type InputData } from './inputValues.ts';

/** The values of a step's fields for these parameters, by API name; undefined if missing. */
export function readParameters(table: ParameterTable, data: InputData): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, readParameter(row, data[name])]),
  );
}

function readParameter(row: Parameter, value: unknown): unknown {
  if (row.kind === 'integer') return readInteger(value);
  return row.kind === 'flag' ? readFlag(value) : readChoice(value, row.values);
}
