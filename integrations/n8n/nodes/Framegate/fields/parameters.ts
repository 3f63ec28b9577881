import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { seedRange } from '../generated/contract';

/** A choice among plain values, in the order given: smallest first is how people look for them. */
function choices(values: readonly string[]): INodePropertyOptions[] {
  return values.map((value) => ({ name: value, value }));
}

/** What the field begins with: the usual value where these models have it. */
function usualOf(values: readonly string[], usual: string): string {
  return values.includes(usual) ? usual : (values[0] ?? '');
}

/** Shape of the result; left out, the model's usual one is taken. */
export function aspectRatioField(values: readonly string[], usual: string): INodeProperties {
  return {
    displayName: 'Aspect Ratio',
    name: 'aspectRatio',
    type: 'options',
    options: choices(values),
    default: usualOf(values, usual),
    description: 'Width to height of the result',
  };
}

/** Size of the result; it decides the price. */
export function resolutionField(values: readonly string[], usual: string): INodeProperties {
  return {
    displayName: 'Resolution',
    name: 'resolution',
    type: 'options',
    options: choices(values),
    default: usualOf(values, usual),
    description: 'Size of the result. A larger one costs more credits.',
  };
}

/** Start value of the randomness. */
export const seedField: INodeProperties = {
  displayName: 'Seed',
  name: 'seed',
  type: 'number',
  typeOptions: { minValue: seedRange.min, maxValue: seedRange.max, numberPrecision: 0 },
  default: 1,
  description: 'Whole number that makes a result repeatable. Left out, a new one is chosen.',
};

/** What may be set for a create or an estimate, by the names that the editor sorts them by. */
export function parametersField(
  resource: 'video' | 'image',
  operation: 'create' | 'estimatePrice',
  fields: readonly INodeProperties[],
): INodeProperties {
  return {
    displayName: 'Parameters',
    name: 'parameters',
    type: 'collection',
    placeholder: 'Add parameter',
    default: {},
    description: "What is left out takes the model's usual value",
    displayOptions: { show: { resource: [resource], operation: [operation] } },
    options: [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName)),
  };
}
