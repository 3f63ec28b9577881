import type { INodeProperties } from 'n8n-workflow';

/** Fields of Account: Get Balance. */
export const accountFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['account'] } },
    options: [
      {
        name: 'Get Balance',
        value: 'getBalance',
        action: 'Get balance',
        description: 'Read the credits that can be spent now',
      },
    ],
    default: 'getBalance',
  },
];
