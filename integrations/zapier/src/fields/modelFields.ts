import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import type { ModelEntry, Pricing } from '../generated/contract.ts';
import { readText } from '../inputValues.ts';
import { listModels } from '../listModels.ts';
import { beginReading } from '../step.ts';
import { unionOf, type FormModel } from './formModel.ts';

/** Input fields for what a model takes. */
export type FieldsOfModel = (form: FormModel, bundle: Bundle) => PlainInputField[];

/**
 * Fields that appear once a model is chosen; all that any model has when it is mapped from an earlier
 * step, or unknown here.
 * @param type Undefined for models of both types.
 */
export function fieldsByModel(type: ModelEntry['type'] | undefined, fieldsOf: FieldsOfModel) {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
    // inputData is missing when Zapier asks for the fields of an empty step.
    const inputData = bundle.inputData as Bundle['inputData'] | undefined;
    const id = readText(inputData?.['model']);
    if (id === undefined && !isMapped(bundle, 'model')) return [];
    const listed = await listModels(beginReading(z, bundle));
    const models = listed.filter((model) => type === undefined || model.type === type);
    const model = isMapped(bundle, 'model') ? undefined : models.find((each) => each.id === id);
    return model === undefined
      ? [mappedNote, ...fieldsOf(unionOf(models), bundle)]
      : [priceNote(model), ...fieldsOf(model.capabilities, bundle)];
  };
}

/** Whether a field takes its value from an earlier step, so that the form cannot know it. */
export function isMapped(bundle: Bundle, key: string): boolean {
  const { inputData, inputDataRaw } = bundle as Partial<Bundle>;
  return [inputData?.[key], inputDataRaw?.[key]].some((value) =>
    /\{\{/.test(readText(value) ?? ''),
  );
}

/** What a field takes when it is left empty. */
export function whenEmpty(usual: string | number | undefined): string {
  return usual === undefined
    ? 'The model decides when it is left empty.'
    : `It is ${usual} when left empty.`;
}

/** Said instead of the price when the model is not known yet. */
const mappedNote: PlainInputField = {
  key: 'price',
  type: 'copy',
  helpText:
    'The model comes from an earlier step, so the fields of all models are shown. Leave empty what yours does not offer: such a step is refused, and nothing is charged. An Estimate Price step tells what a run costs.',
};

/** A dropdown of values that need no other label. */
export function choiceField(
  key: string,
  label: string,
  values: readonly string[],
  helpText: string,
): PlainInputField {
  const choices = values.map((value) => ({ value, label: value, sample: value }));
  return { key, label, type: 'string', choices, helpText };
}

/** What the model costs, as a note in the form. */
function priceNote(model: ModelEntry): PlainInputField {
  return { key: 'price', type: 'copy', helpText: priceText(model) };
}

function priceText({ display_name, pricing }: ModelEntry): string {
  const each = Object.entries(pricing.credits).map(([size, credits]) => `${credits} at ${size}`);
  const price = `**${display_name}** costs per ${pricing.per}, in credits: ${each.join(', ')}.`;
  return [price, soundText(pricing), exampleText(pricing)].filter((text) => text !== '').join(' ');
}

function soundText(pricing: Pricing): string {
  if (
    pricing.per !== 'second' ||
    !pricing.examples.some((each) => each.parameters.generate_audio)
  ) {
    return '';
  }
  const { numerator, denominator } = pricing.audio;
  return `With sound it is ${Math.round((numerator / denominator - 1) * 100)}% more.`;
}

function exampleText(pricing: Pricing): string {
  if (pricing.per === 'second') {
    const [example] = pricing.examples;
    return example === undefined
      ? ''
      : `For example, ${example.parameters.duration_seconds} seconds at ${example.parameters.resolution} cost ${example.cost_credits} credits.`;
  }
  const [example] = pricing.examples;
  return example === undefined
    ? ''
    : `For example, ${example.parameters.n} at ${example.parameters.resolution} costs ${example.cost_credits} credits.`;
}
