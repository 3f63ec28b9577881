import type { INodeProperties } from 'n8n-workflow';
import { simplifyField } from '../fields/waitOptions';

const show = { resource: ['model'], operation: ['getAll'] };

/** Fields of Model: Get Many. */
export const modelFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['model'] } },
    options: [
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many models',
        description: 'List the models that your key can use, with their prices',
      },
    ],
    default: 'getAll',
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: { show },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...show, returnAll: [false] } },
  },
  simplifyField(show),
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: { show },
    options: [
      {
        displayName: 'Type',
        name: 'type',
        type: 'options',
        options: [
          { name: 'Image', value: 'image' },
          { name: 'Video', value: 'video' },
        ],
        default: 'video',
        description: 'Type of media that the model creates',
      },
    ],
  },
];
