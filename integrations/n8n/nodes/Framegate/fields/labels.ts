import { imageParameters, videoParameters } from '../generated/contract';

/** The node's form of an API name: `duration_seconds` becomes `durationSeconds`. */
type FieldOf<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<FieldOf<Rest>>}`
  : Name;
type ParameterField = FieldOf<keyof typeof videoParameters | keyof typeof imageParameters>;

const parameters = Object.entries({ ...videoParameters, ...imageParameters });
const parameterFieldLabels = Object.fromEntries(
  parameters.map(([name, { label }]) => [fieldOf(name), label]),
) as Record<ParameterField, string>;

/** Label of each field with a value of the user, by its name in the node. */
export const labels = {
  ...parameterFieldLabels,
  attempts: 'Attempts for Failed Generations',
  binaryField: 'Put Output File in Field',
  consentReference: 'Consent Reference',
  download: 'Download Result',
  durationSeconds: 'Duration (Seconds)',
  generationId: 'Generation',
  idempotencyKey: 'Idempotency Key',
  inputs: 'Inputs',
  limit: 'Limit',
  maxCredits: 'Maximum Credits',
  mode: 'Mode',
  model: 'Model',
  onTimeout: 'On Timeout',
  outputFormat: 'Output Format',
  prompt: 'Prompt',
  returnAll: 'Return All',
  rightsConfirmed: 'Rights Confirmed',
  role: 'Use As',
  simplify: 'Simplify',
  timeoutSeconds: 'Timeout (Seconds)',
  type: 'Type',
  url: 'URL',
  wait: 'Wait for Completion',
} as const;

/** The name of such a field. */
export type FieldName = keyof typeof labels;

/** The node's name of a parameter of the API. */
export function fieldOf(name: string): FieldName {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as FieldName;
}

/** Labels of the parameters by the API's names. */
export const parameterLabels: Readonly<Record<string, string>> = Object.fromEntries(
  parameters.map(([name]) => [name, labels[fieldOf(name)]]),
);

/** Labels of the modes of a video. */
export const modeNames = {
  'image-to-video': 'Image to Video',
  'multimodal-to-video': 'References to Video',
  'text-to-video': 'Text to Video',
} as const;

/** Labels of the places of a picture in a video. */
export const roleNames = { first_frame: 'First Frame', last_frame: 'Last Frame' } as const;
