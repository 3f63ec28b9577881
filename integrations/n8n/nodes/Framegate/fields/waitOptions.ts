import type { INodeProperties } from 'n8n-workflow';

/** Default length of a wait, in seconds: as long as the API lets a video run. */
export const defaultTimeoutSeconds = 3600;

/** Field of the item's binary data for the first file. */
export const defaultBinaryField = 'data';

/** Labels for the outcomes of a wait that was too short. */
export const onTimeoutNames = {
  return: 'Return the Generation',
  stop: 'Stop With an Error',
} as const;

/** The outcome of a step whose wait is shorter than the generation. */
export const onTimeoutOption: INodeProperties = {
  displayName: 'On Timeout',
  name: 'onTimeout',
  type: 'options',
  options: [
    {
      name: onTimeoutNames.return,
      value: 'return',
      description: 'Pass the item on with its ID, its status and timed_out set to true',
    },
    {
      name: onTimeoutNames.stop,
      value: 'stop',
      description: 'Stop the node with an error that names the generation',
    },
  ],
  default: 'return',
  description:
    'What to do when the generation is still running after the timeout. It continues either way, and Generation > Wait resumes it.',
};

/** The longest wait for a generation. */
export const timeoutOption: INodeProperties = {
  displayName: 'Timeout (Seconds)',
  name: 'timeoutSeconds',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: defaultTimeoutSeconds,
  description:
    'How long to wait for the generation, counted for each item from its creation. A queued generation can take longer than the model itself needs.',
};

/** The destination of the downloaded file. */
export const binaryFieldOption: INodeProperties = {
  displayName: 'Put Output File in Field',
  name: 'binaryField',
  type: 'string',
  default: defaultBinaryField,
  placeholder: 'e.g. data',
  hint: 'The name of the output binary field to put the file in',
  description: 'Additional files of the same generation get a numbered name, such as data_2',
  displayOptions: { show: { '/download': [true] } },
};

/** Whether to download the finished files. */
export function downloadField(operations: {
  resource: string[];
  operation: string[];
}): INodeProperties {
  return {
    displayName: 'Download Result',
    name: 'download',
    type: 'boolean',
    default: true,
    description:
      'Whether to output the finished files as binary data in addition to their URLs. When off, the item has only the URLs.',
    displayOptions: { show: operations },
  };
}

/** Whether to omit the less used fields. */
export function simplifyField(operations: {
  resource: string[];
  operation: string[];
}): INodeProperties {
  return {
    displayName: 'Simplify',
    name: 'simplify',
    type: 'boolean',
    default: true,
    description: 'Whether to return a simplified version of the response instead of the raw data',
    displayOptions: { show: operations },
  };
}
