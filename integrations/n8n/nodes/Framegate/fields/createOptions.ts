import type { INodeProperties } from 'n8n-workflow';
import { binaryFieldOption, onTimeoutOption, timeoutOption } from './waitOptions';
import { downloadField, simplifyField } from './waitOptions';

const whenWaiting = { displayOptions: { show: { '/wait': [true] } } };

/** Everything of a create that is not about the picture itself: waiting, money, repeats. */
export function createOptions(kind: 'video' | 'image'): INodeProperties[] {
  const show = { resource: [kind], operation: ['create'] };
  return [
    {
      displayName: 'Wait for Completion',
      name: 'wait',
      type: 'boolean',
      default: true,
      description: `Whether to wait until the ${kind} is finished. Off, the item is handed on at once with its ID; read it later with Generation > Get.`,
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
          typeOptions: { minValue: 1, maxValue: 5 },
          default: 1,
          description:
            'How often a generation is created in all when it fails for a passing reason. Failed generations are refunded. Retry On Fail never adds to this number.',
          ...whenWaiting,
        },
        {
          displayName: 'Idempotency Key',
          name: 'idempotencyKey',
          type: 'string',
          default: '',
          placeholder: 'e.g. {{ $json.orderId }}',
          description:
            'Creates with the same key and the same content make one generation, paid once. Left empty, a key is made from this execution, node, run and item, so Retry On Fail is free, but a new execution pays anew. Give your own key, different for each item, to be safe across executions too. Keys are kept for 7 days.',
        },
        {
          displayName: 'Maximum Credits',
          name: 'maximumCredits',
          type: 'number',
          typeOptions: { minValue: 1 },
          default: 100,
          description: `Highest price of one ${kind === 'video' ? 'video' : 'item, all its images together'}. A higher price stops the node before anything is created.`,
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
