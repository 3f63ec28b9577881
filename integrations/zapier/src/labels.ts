import { imageParameters, videoParameters } from './generated/contract.ts';

/* Form labels for errors that name parts of a request. */

/** Problem of one part of a request, such as `inputs[1].url`. */
export interface FieldProblem {
  param: string;
  message: string;
}

/** The form's names of video modes. */
export const modeLabels = {
  'text-to-video': 'Text to Video',
  'image-to-video': 'Image to Video',
  'multimodal-to-video': 'References to Video',
} as const;

/** The form's names of kinds of inputs. */
export const inputLabels = { image: 'Image', video: 'Video', audio: 'Audio' } as const;

/** The form's names for the places of an image in a video. */
export const roleLabels = { first_frame: 'First Frame', last_frame: 'Last Frame' } as const;

/** The parameters' form labels, by their API names. */
const parameterLabels: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...videoParameters, ...imageParameters }).map(([name, { label }]) => [
    name,
    label,
  ]),
);

const fields: Readonly<Record<string, string>> = {
  ...parameterLabels,
  model: 'Model',
  mode: 'Mode',
  prompt: 'Prompt',
  inputs: 'Inputs',
  url: 'Input URL',
  type: 'Type',
  role: 'Role',
  rights_confirmed: 'Rights Confirmed',
  consent_reference: 'Consent Reference',
};

/** The label of a request's field, such as `Input URL 2` for `inputs[1].url`. */
export function labelOf(param: string): string {
  const [, index, name = param] =
    /^(?:inputs\[(\d+)\]\.?|parameters\.|compliance\.)?(\w*)$/.exec(param) ?? [];
  const label = name === '' ? 'Inputs' : (Object.hasOwn(fields, name) && fields[name]) || param;
  return index === undefined ? label : `${label} ${Number(index) + 1}`;
}

const words = {
  ...modeLabels,
  ...roleLabels,
  generate_audio: videoParameters.generate_audio.label,
};

/** A problem of one field, in the form's words. */
export function describeProblem({ param, message }: FieldProblem): string {
  const plain = Object.entries(words).reduce(
    (text, [word, label]) => text.replaceAll(word, label),
    message,
  );
  return `${labelOf(param)}: ${plain}`;
}
