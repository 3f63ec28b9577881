import type { INodeProperties } from 'n8n-workflow';
import {
  binaryFieldOption,
  downloadField,
  onTimeoutOption,
  simplifyField,
  timeoutOption,
} from '../fields/waitOptions';
import { generationIdPattern } from '../generationId';

const both = { resource: ['generation'], operation: ['get', 'wait'] };

/** Fields of Generation: Get and Wait. */
export const generationFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['generation'] } },
    options: [
      {
        name: 'Get',
        value: 'get',
        action: 'Get generation',
        description: 'Read a generation once, whatever its status',
      },
      {
        name: 'Wait',
        value: 'wait',
        action: 'Wait for generation',
        description: 'Wait until a generation has ended; nothing is created or charged',
      },
    ],
    default: 'get',
  },
  {
    displayName: 'Generation',
    name: 'generationId',
    type: 'resourceLocator',
    default: { mode: 'id', value: '' },
    required: true,
    description: 'Generation that an earlier Create operation started',
    displayOptions: { show: both },
    modes: [
      {
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. gen_01k9v4j0m7q2x8r5t3w6y1z0ab',
        validation: [
          {
            type: 'regex',
            properties: {
              regex: `^${generationIdPattern}$`,
              errorMessage: 'A generation ID begins with gen_ and has 30 characters',
            },
          },
        ],
      },
      {
        displayName: 'By URL',
        name: 'url',
        type: 'string',
        placeholder: 'e.g. https://media.example.com/v1/generations/gen_01k9v4j0m7q2x8r5t3w6y1z0ab',
        hint: 'Only the ID is taken from it; requests always go to the base URL of the credential',
        extractValue: { type: 'regex', regex: `(${generationIdPattern})` },
        validation: [
          {
            type: 'regex',
            properties: {
              regex: `.*${generationIdPattern}.*`,
              errorMessage: 'The URL must contain a generation ID such as gen_...',
            },
          },
        ],
      },
    ],
  },
  downloadField(both),
  simplifyField(both),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions: { show: { resource: ['generation'], operation: ['get'] } },
    options: [binaryFieldOption],
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions: { show: { resource: ['generation'], operation: ['wait'] } },
    options: [onTimeoutOption, binaryFieldOption, timeoutOption],
  },
];
