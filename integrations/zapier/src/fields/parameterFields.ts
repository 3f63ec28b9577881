import type { PlainInputField } from 'zapier-platform-core';
import {
  type ByKind,
  byKind,
  choicesOf,
  hasFlag,
  inFormOrder,
  maxLengthOf,
  type ParameterTable,
  rangeOf,
  type RowOf,
} from '../generated/contract.ts';
import type { FormModel } from './formModel.ts';
import { choiceField, whenEmpty } from './modelFields.ts';

/** Form texts for individual parameters, replacing the generic ones of their kind. */
const ownHelp: Readonly<Record<string, string>> = {
  seed: 'A whole number from 1 to 2147483647. Runs with the same seed and inputs give similar results. Leave it empty for a random seed.',
  generate_audio: 'Choose yes for a video with sound, at a higher price.',
};

/** The fields of a table's parameters that a model has, except those handled separately. */
export function parameterFields(table: ParameterTable, form: FormModel): PlainInputField[] {
  return inFormOrder(table).flatMap(([key, row]) =>
    row.apart ? [] : byKind(kinds, row, key, form),
  );
}

const kinds: ByKind<[key: string, form: FormModel], PlainInputField[]> = {
  integer: (row, key, form) => {
    const range = rangeOf(row, form);
    return range === null ? [] : [numberField(key, row, range)];
  },
  fraction: (row, key, form) => {
    const bounds = rangeOf(row, form);
    if (bounds === null) return [];
    const { label, default: usual, range } = row;
    const { min, max, step } = { ...range, ...bounds };
    const helpText = `A number from ${min} to ${max} in steps of ${step}. ${whenEmpty(usual ?? undefined)}`;
    return [{ key, label, type: 'number', helpText: ownHelp[key] ?? helpText }];
  },
  choice: (row, key, form) => {
    // The default resolution is the model's own; the other choices have the same default for all.
    const usual = key === 'resolution' ? form.resolution : row.default;
    return [choiceField(key, row.label, choicesOf(row, form), usual)];
  },
  flag: (row, key, form) => {
    if (!hasFlag(row, form)) return [];
    const helpText = ownHelp[key] ?? `${row.hint}.`;
    return [{ key, label: row.label, type: 'boolean', helpText }];
  },
  text: (row, key, form) => {
    if (maxLengthOf(row, form) === null) return [];
    const { label, hasLines, hint } = row;
    return [{ key, label, type: hasLines ? 'text' : 'string', helpText: ownHelp[key] ?? hint }];
  },
};

function numberField(
  key: string,
  { label, default: defaultForAll }: RowOf<'integer'>,
  range: NonNullable<FormModel['duration_seconds']>,
): PlainInputField {
  const usual = key === 'n' ? defaultForAll : range.default;
  const bounds = `A whole number from ${range.min} to ${range.max}. ${whenEmpty(usual ?? undefined)}`;
  return {
    key,
    label,
    type: 'integer',
    ...(usual !== undefined && usual !== null && { placeholder: String(usual) }),
    helpText: ownHelp[key] ?? (key === 'n' ? `${bounds} Each image is charged.` : bounds),
  };
}
