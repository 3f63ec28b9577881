import type { INodeProperties } from 'n8n-workflow';
import { seedRange } from '../generated/contract';

/** The choices of these fields come from the API, by the model that is chosen. */
const followsModel = ['resource', 'model.value'];

/** Shape of the result; left out, the model's usual one is taken. */
export const aspectRatioField: INodeProperties = {
  displayName: 'Aspect Ratio Name or ID',
  name: 'aspectRatio',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getAspectRatios', loadOptionsDependsOn: followsModel },
  default: '',
  description:
    'Width to height of the result. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Size of the result; it decides the price. */
export const resolutionField: INodeProperties = {
  displayName: 'Resolution Name or ID',
  name: 'resolution',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getResolutions', loadOptionsDependsOn: followsModel },
  default: '',
  description:
    'Size of the result. A larger one costs more credits. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** File type of images. */
export const outputFormatField: INodeProperties = {
  displayName: 'Output Format Name or ID',
  name: 'outputFormat',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getOutputFormats', loadOptionsDependsOn: followsModel },
  default: '',
  description:
    'File type of the images. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

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
