import type { INodeProperties } from 'n8n-workflow';
import { attemptsRange } from './attempts';
import {
  binaryFieldOption,
  downloadField,
  onTimeoutOption,
  simplifyField,
  timeoutOption,
} from './waitOptions';

/** A key that differs for each item but not between executions, for items with an id. */
const keyExample = '{{ $workflow.id }}-{{ $json.id }}';

const whenWaiting = { displayOptions: { show: { '/wait': [true] } } };

/** All options of a create request except those of the picture itself: waiting, money, repeats. */
export function createOptions(kind: 'video' | 'image'): INodeProperties[] {
  const show = { resource: [kind], operation: ['create'] };
  return [
    {
      displayName: 'Wait for Completion',
      name: 'wait',
      type: 'boolean',
      default: true,
      description: `Whether to wait until the ${kind} is finished. When off, the item is passed on immediately with its ID, and Generation > Wait in the next node waits for it. Use this for expensive work, because n8n then keeps the ID even if it stops or crashes.`,
      displayOptions: { show },
    },
    {
      ...downloadField(show),
      displayOptions: { show: { ...show, wait: [true] } },
    },
    simplifyField(show),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      displayOptions: { show },
      options: [
        {
          displayName: 'Attempts for Failed Generations',
          name: 'attempts',
          type: 'number',
          typeOptions: { minValue: attemptsRange.min, maxValue: attemptsRange.max },
          default: 1,
          description:
            'How often a generation is attempted in total if it fails for a temporary reason. Failed generations are refunded. From 1 to 5; Retry On Fail never adds to this number.',
          ...whenWaiting,
        },
        {
          displayName: 'Idempotency Key',
          name: 'idempotencyKey',
          type: 'string',
          default: '',
          placeholder: `e.g. ${keyExample}`,
          description: `Items with the same key and content create one generation, charged once. Without this option, the key is derived from the execution, node, run and item: Retry On Fail is free, but a new execution is charged again. To prevent double charges across executions as well, give each item its own key, such as ${keyExample}. Keys are kept for 7 days, even if the generation failed.`,
        },
        {
          displayName: 'Maximum Credits',
          name: 'maxCredits',
          type: 'number',
          typeOptions: { minValue: 1 },
          default: 100,
          description: `Maximum price of one ${kind === 'video' ? 'video' : 'item, all its images together'}. Items with a higher price, or whose expression has no value, are refused before anything is created.`,
        },
        { ...onTimeoutOption, ...whenWaiting },
        {
          ...binaryFieldOption,
          displayOptions: { show: { '/wait': [true], '/download': [true] } },
        },
        { ...timeoutOption, ...whenWaiting },
      ],
    },
  ];
}
