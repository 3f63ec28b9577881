import { type ByKind, byKind, type ParameterTable } from './generated/contract.ts';
import {
  type InputData,
  parseChoice,
  parseDecimal,
  parseFlag,
  parseInteger,
  parseText,
} from './inputValues.ts';

/** The values of a step's fields for these parameters, by API name; undefined if missing. */
export function parseParameters(table: ParameterTable, data: InputData): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, byKind(readers, row, data[name])]),
  );
}

const readers: ByKind<[value: unknown], unknown> = {
  integer: (_, value) => parseInteger(value),
  fraction: (_, value) => parseDecimal(value),
  choice: ({ values }, value) => parseChoice(value, values),
  flag: (_, value) => parseFlag(value),
  text: (_, value) => parseText(value),
};
