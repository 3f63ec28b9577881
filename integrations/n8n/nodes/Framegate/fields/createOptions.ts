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
      description: `Whether to wait until the ${kind} is finished. When off, the item is passed on at once with its ID, and Generation > Wait in the next node does the rest. Choose this for costly work, because n8n then keeps the ID through a stop or a crash.`,
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
            'How many times in total a generation is created if it fails for a temporary reason. Failed generations are refunded. From 1 to 5; Retry On Fail never adds to this number.',
          ...whenWaiting,
        },
        {
          displayName: 'Idempotency Key',
          name: 'idempotencyKey',
          type: 'string',
          default: '',
          placeholder: `e.g. ${keyExample}`,
          description: `Items with the same key and the same content make one generation, paid for once. Without this option, the key comes from the execution, node, run and item: Retry On Fail is free, but a new execution pays again. To be safe across executions too, give each item a key of its own, such as ${keyExample}. Keys are kept for 7 days, even if the generation failed.`,
        },
        {
          displayName: 'Maximum Credits',
          name: 'maximumCredits',
          type: 'number',
          typeOptions: { minValue: 1 },
          default: 100,
          description: `Highest price of one ${kind === 'video' ? 'video' : 'item, all its images together'}. An item with a higher price is refused before anything is created, and so is one whose expression has no value.`,
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
