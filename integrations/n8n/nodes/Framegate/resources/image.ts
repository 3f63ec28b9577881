import type { INodeProperties } from 'n8n-workflow';
import { createOptions } from '../fields/createOptions';
import { modelField } from '../fields/model';
import { parameterFields, parametersField } from '../fields/parameters';
import { imageParameters } from '../generated/contract';

const show = { resource: ['image'], operation: ['create'] };

/** Fields of Image: Create and Estimate Price. */
export const imageFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['image'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create image',
        description: 'Create images from a prompt and reference images',
      },
      {
        name: 'Estimate Price',
        value: 'estimatePrice',
        action: 'Estimate image price',
        description: 'Estimate the price of images; nothing is created or charged',
      },
    ],
    default: 'create',
  },
  modelField('image', 'searchImageModels'),
  {
    displayName: 'Prompt',
    name: 'prompt',
    type: 'string',
    typeOptions: { rows: 4 },
    default: '',
    required: true,
    placeholder: 'e.g. A lighthouse at dawn, watercolour',
    description: 'Description of the image in plain words',
    displayOptions: { show },
  },
  {
    displayName: 'Inputs',
    name: 'inputs',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Reference Image' },
    placeholder: 'Add Reference Image',
    default: {},
    description:
      'Public https URLs of reference images, on hosts approved for your key. Entries without a URL are ignored.',
    displayOptions: { show },
    options: [
      {
        displayName: 'Reference Image',
        name: 'values',
        values: [
          {
            displayName: 'URL',
            name: 'url',
            type: 'string',
            default: '',
            placeholder: 'e.g. https://files.example.com/style.png',
            description: 'Public https URL of the image',
          },
        ],
      },
    ],
  },
  parametersField('image', 'create', parameterFields(imageParameters, 'all')),
  parametersField('image', 'estimatePrice', parameterFields(imageParameters, 'priced')),
  ...createOptions('image'),
];
