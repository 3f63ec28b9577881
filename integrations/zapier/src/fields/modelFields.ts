import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import type { ModelEntry, Pricing } from '../generated/contract.ts';
import { parseText } from '../inputValues.ts';
import { findModel, listModels } from '../listModels.ts';
import { beginReading } from '../step.ts';
import { type FormModel, formOf, unionOf } from './formModel.ts';

/** Input fields for the parameters of a model. */
export type FieldsOfModel = (form: FormModel, bundle: Bundle) => PlainInputField[];

/**
 * Fields that appear once a model is chosen; those of all models if it is mapped from an earlier step or unknown.
 * @param type Undefined for models of both types.
 */
export function fieldsByModel(type: ModelEntry['type'] | undefined, fieldsOf: FieldsOfModel) {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
    // inputData is missing when Zapier requests the fields of an empty step.
    const inputData = bundle.inputData as Bundle['inputData'] | undefined;
    const id = parseText(inputData?.['model']);
    if (id === undefined && !isMapped(bundle, 'model')) return [];
    const listed = await listModels(beginReading(z, bundle));
    const models = listed.filter((model) => type === undefined || model.type === type);
    const model = isMapped(bundle, 'model') ? undefined : findModel(models, id);
    return model === undefined
      ? [mappedNote, ...fieldsOf(unionOf(models), bundle)]
      : [priceNote(model), ...fieldsOf(formOf(model), bundle)];
  };
}

/** Whether a field takes its value from an earlier step, so that the form cannot know it. */
export function isMapped(bundle: Bundle, key: string): boolean {
  const { inputData, inputDataRaw } = bundle as Partial<Bundle>;
  return [inputData?.[key], inputDataRaw?.[key]].some((value) =>
    /\{\{/.test(parseText(value) ?? ''),
  );
}

/** Text about the value used for an empty field. */
export function whenEmpty(usual: string | number | undefined): string {
  return usual === undefined ? 'The model decides if you leave it empty.' : `Defaults to ${usual}.`;
}

/** Shown instead of the price while the model is unknown. */
const mappedNote: PlainInputField = {
  key: 'price',
  type: 'copy',
  helpText:
    'The model comes from an earlier step, so the fields of all models are shown. Fill in only those that your model offers: a run with others is refused, and nothing is charged. A Find Price step shows you the price of a run.',
};

/** A dropdown of values that need no other label. @param usual The value of an empty field. */
export function choiceField(
  key: string,
  label: string,
  values: readonly string[],
  usual: string | undefined,
): PlainInputField {
  const choices = values.map((value) => ({ value, label: value, sample: value }));
  const offered = values.find((value) => value === usual);
  return { key, label, type: 'string', choices, helpText: whenEmpty(offered) };
}

/** Price of the model, as a note in the form. */
function priceNote(model: ModelEntry): PlainInputField {
  return { key: 'price', type: 'copy', helpText: describePrice(model) };
}

function describePrice({ display_name, pricing }: ModelEntry): string {
  const each = Object.entries(pricing.credits).map(([size, credits]) => `${credits} at ${size}`);
  const price = `**${display_name}**, in credits per ${pricing.per}: ${each.join(', ')}.`;
  return [price, describeSound(pricing), describeExample(pricing)]
    .filter((text) => text !== '')
    .join(' ');
}

function describeSound(pricing: Pricing): string {
  if (
    pricing.per !== 'second' ||
    !pricing.examples.some((each) => each.parameters.generate_audio)
  ) {
    return '';
  }
  const { numerator, denominator } = pricing.audio;
  return `Sound adds ${Math.round((numerator / denominator - 1) * 100)}%.`;
}

function describeExample(pricing: Pricing): string {
  const [example] = pricing.examples;
  if (example === undefined) return '';
  const { resolution, ...rest } = example.parameters;
  const range =
    'n' in rest ? formatCount(rest.n, 'image') : formatCount(rest.duration_seconds, 'second');
  const cost = example.cost_credits;
  return `Example: ${range} at ${resolution} = ${cost} credits.`;
}

const formatCount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
