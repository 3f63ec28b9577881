import type { INodeProperties } from 'n8n-workflow';

/** Choice of the model, from the API's list or by id. */
export function modelField(kind: 'video' | 'image', searchListMethod: string): INodeProperties {
  return {
    displayName: 'Model',
    name: 'model',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    required: true,
    description: `Model that creates the ${kind}. The fields below match its capabilities.`,
    displayOptions: { show: { resource: [kind], operation: ['create', 'estimatePrice'] } },
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Select a model...',
        typeOptions: { searchListMethod, searchable: true },
      },
      {
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: kind === 'video' ? 'e.g. alpha-2.0-pro' : 'e.g. image-b-2',
      },
    ],
  };
}
