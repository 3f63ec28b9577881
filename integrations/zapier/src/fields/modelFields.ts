import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import type { ModelEntry, Pricing } from '../generated/contract.ts';
import { readText } from '../inputValues.ts';
import { listModels } from '../listModels.ts';

/** Input fields for the model that is chosen, from what GET /models says of it. */
export type FieldsOfModel = (model: ModelEntry, bundle: Bundle) => PlainInputField[];

/**
 * Fields that appear once a model is chosen. None for a model that is mapped from another step, or
 * that the key has lost: the step itself tells then.
 */
export function fieldsByModel(type: ModelEntry['type'], fieldsOf: FieldsOfModel) {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
    // inputData is missing when Zapier asks for the fields of an empty step.
    const inputData = bundle.inputData as Bundle['inputData'] | undefined;
    const id = readText(inputData?.['model']);
    if (id === undefined) return [];
    const model = (await listModels(z, bundle, type)).find((each) => each.id === id);
    return model === undefined ? [] : [priceNote(model), ...fieldsOf(model, bundle)];
  };
}

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
