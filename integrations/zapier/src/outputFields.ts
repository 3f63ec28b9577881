import type { PlainOutputField } from 'zapier-platform-core';
import type { Parameter } from './generated/contract.ts';
import { commonParameters, imageParametersOnly, videoParametersOnly } from './parameterNames.ts';

/* Labels and types of the fields in output.ts. */

const head: PlainOutputField[] = [
  { key: 'id', label: 'Generation ID', type: 'string', primary: true },
  { key: 'type', label: 'Type', type: 'string' },
  { key: 'model', label: 'Model', type: 'string' },
  { key: 'status', label: 'Status', type: 'string' },
  { key: 'created_at', label: 'Created At', type: 'datetime' },
  { key: 'completed_at', label: 'Completed At', type: 'datetime' },
];

const lists: PlainOutputField[] = [
  { key: 'file_urls', label: 'File URLs', type: 'string', list: true },
  { key: 'files', label: 'Files', type: 'file', list: true },
];

const tail: PlainOutputField[] = [
  { key: 'file_urls_expire_at', label: 'File URLs Expire At', type: 'datetime' },
  { key: 'cost_credits', label: 'Cost in Credits', type: 'integer' },
  { key: 'billing_status', label: 'Billing Status', type: 'string' },
  ...echoes(commonParameters),
];

const createOnlyFields: PlainOutputField[] = [
  { key: 'shared_with_earlier_run', label: 'Shared With an Earlier Run', type: 'boolean' },
  { key: 'available_credits', label: 'Available Credits', type: 'integer' },
];

/** Outputs that repeat parameters. */
function echoes(parameters: readonly (readonly [string, Parameter])[]): PlainOutputField[] {
  const types = {
    integer: 'integer',
    fraction: 'number',
    choice: 'string',
    flag: 'boolean',
    text: 'string',
  } as const;
  return parameters.map(([key, { label, kind }]) => ({ key, label, type: types[kind] }));
}

function single(what: string): PlainOutputField[] {
  return [
    { key: 'file_url', label: `${what} URL`, type: 'string' },
    { key: 'file', label: `${what} File`, type: 'file' },
  ];
}

/** Outputs of Create Video. */
export const videoOutputFields: PlainOutputField[] = [
  ...head,
  ...single('Video'),
  ...tail,
  ...echoes(videoParametersOnly),
  ...createOnlyFields,
];

/** Outputs of Create Image. */
export const imageOutputFields: PlainOutputField[] = [
  ...head,
  ...single('First Image'),
  ...lists,
  ...tail,
  ...echoes(imageParametersOnly),
  ...createOnlyFields,
];

/** Outputs of Find Generation. */
export const foundOutputFields: PlainOutputField[] = [
  ...head,
  ...single('First File'),
  ...lists,
  ...tail,
  { key: 'error_code', label: 'Error Code', type: 'string' },
  { key: 'error_message', label: 'Error Message', type: 'string' },
];

/** Outputs of Find Price. */
export const priceOutputFields: PlainOutputField[] = [
  { key: 'model', label: 'Model', type: 'string', primary: true },
  { key: 'type', label: 'Type', type: 'string' },
  { key: 'cost_credits', label: 'Cost in Credits', type: 'integer' },
  { key: 'credits_per_unit', label: 'Credits per Second or Image', type: 'integer' },
  { key: 'unit', label: 'Unit', type: 'string' },
  { key: 'units', label: 'Seconds or Images', type: 'integer' },
  { key: 'resolution', label: 'Resolution', type: 'string' },
  { key: 'generate_audio', label: 'Generate Audio', type: 'boolean' },
  { key: 'available_credits', label: 'Available Credits', type: 'integer' },
  { key: 'enough_credits', label: 'Enough Credits', type: 'boolean' },
];

/** Outputs of Find Balance. */
export const balanceOutputFields: PlainOutputField[] = [
  { key: 'as_of', label: 'As Of', type: 'datetime', primary: true },
  { key: 'available_credits', label: 'Available Credits', type: 'integer' },
  { key: 'credits_in_flight', label: 'Credits Held', type: 'integer' },
  { key: 'enough_credits', label: 'Enough Credits', type: 'boolean' },
];
