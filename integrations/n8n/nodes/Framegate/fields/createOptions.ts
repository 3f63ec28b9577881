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

/** All options of a create except those of the picture itself: waiting, money, repeats. */
export function createOptions(kind: 'video' | 'image'): INodeProperties[] {
  const show = { resource: [kind], operation: ['create'] };
  return [
    {
      displayName: 'Wait for Completion',
      name: 'wait',
      type: 'boolean',
      default: true,
      description: `Whether to wait until the ${kind} is finished. Off, the item is handed on at once with its ID, and Generation > Wait in the next node does the rest: for costly work, because n8n then keeps the ID through a stop or a crash.`,
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
            'How often a generation is created in all when it fails for a passing reason. Failed generations are refunded. From 1 to 5; Retry On Fail never adds to this number.',
          ...whenWaiting,
        },
        {
          displayName: 'Idempotency Key',
          name: 'idempotencyKey',
          type: 'string',
          default: '',
          placeholder: `e.g. ${keyExample}`,
          description: `Creates with the same key and the same content make one generation, paid once. Without this option a key is made from this execution, node, run and item, so Retry On Fail is free, but a new execution pays anew. Give your own key, different for each item, to be safe across executions too, such as ${keyExample}. Keys are kept for 7 days, also those of generations that failed.`,
        },
        {
          displayName: 'Maximum Credits',
          name: 'maximumCredits',
          type: 'number',
          typeOptions: { minValue: 1 },
          default: 100,
          description: `Highest price of one ${kind === 'video' ? 'video' : 'item, all its images together'}. A higher price refuses the item before anything is created, and so does an expression without a value.`,
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
