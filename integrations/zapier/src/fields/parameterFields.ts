import type { PlainInputField } from 'zapier-platform-core';
import {
  choicesOf,
  hasFlag,
  inFormOrder,
  rangeOf,
  type Parameter,
  type ParameterTable,
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
    row.apart ? [] : parameterField(key, row, form),
  );
}

function parameterField(key: string, row: Parameter, form: FormModel): PlainInputField[] {
  const { label } = row;
  if (row.kind === 'choice') {
    // The default resolution is the model's own; the other choices have the same default for all.
    const usual = key === 'resolution' ? form.resolution : row.default;
    return [choiceField(key, label, choicesOf(row, form), usual)];
  }
  if (row.kind === 'flag') {
    if (!hasFlag(row, form)) return [];
    return [{ key, label, type: 'boolean', helpText: ownHelp[key] ?? `${row.hint}.` }];
  }
  const range = rangeOf(row, form);
  return range === null ? [] : [numberField(key, row, range)];
}

function numberField(
  key: string,
  { label, default: usualOfAll }: Extract<Parameter, { kind: 'integer' }>,
  range: NonNullable<FormModel['duration_seconds']>,
): PlainInputField {
  const usual = key === 'n' ? usualOfAll : range.default;
  const bounds = `A whole number from ${range.min} to ${range.max}. ${whenEmpty(usual ?? undefined)}`;
  return {
    key,
    label,
    type: 'integer',
    ...(usual !== undefined && usual !== null && { placeholder: String(usual) }),
    helpText: ownHelp[key] ?? (key === 'n' ? `${bounds} Each image is charged.` : bounds),
  };
}
