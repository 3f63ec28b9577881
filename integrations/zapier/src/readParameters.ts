import { type ByKind, byKind, type ParameterTable } from './generated/contract.ts';
import {
  type InputData,
  readChoice,
  readDecimal,
  readFlag,
  readInteger,
  readText,
} from './inputValues.ts';

/** The values of a step's fields for these parameters, by API name; undefined if missing. */
export function readParameters(table: ParameterTable, data: InputData): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, byKind(readers, row, data[name])]),
  );
}

const readers: ByKind<[value: unknown], unknown> = {
  integer: (_, value) => readInteger(value),
  fraction: (_, value) => readDecimal(value),
  choice: ({ values }, value) => readChoice(value, values),
  flag: (_, value) => readFlag(value),
  text: (_, value) => readText(value),
};
