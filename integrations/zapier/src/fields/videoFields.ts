import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { type VideoMode, videoParameters } from '../generated/contract.ts';
import { parseChoice, parseFlag } from '../inputValues.ts';
import { inputLabels, modeLabels, roleLabels } from '../labels.ts';
import type { FormModel } from './formModel.ts';
import { fieldsByModel, isMapped } from './modelFields.ts';
import { parameterFields } from './parameterFields.ts';

/** The fields of Create Video that depend on the model and the mode. */
export const videoModelFields = fieldsByModel('video', videoInputFields);

function videoInputFields(form: FormModel, bundle: Bundle): PlainInputField[] {
  const mode = chosenMode(form, bundle);
  const mayShowPersons = mode === null || form.real_person_modes.includes(mode);
  const hasPersons = form.real_person_modes.length > 0 && mayShowPersons;
  return [
    modeField(form),
    ...(mode === 'text-to-video' ? [] : [inputsField(mode, form)]),
    ...parameterFields(videoParameters, form),
    ...(hasPersons ? realPersonFields(bundle) : []),
  ];
}

/** The mode for which the form is made; null if it is mapped from an earlier step. */
function chosenMode({ modes }: FormModel, bundle: Bundle): VideoMode | null {
  if (isMapped(bundle, 'mode')) return null;
  const chosen = parseChoice(bundle.inputData['mode'], modes, modeLabels);
  return modes.find((each) => each === chosen) ?? 'text-to-video';
}

/** An unknown mode is shown by its value. */
const labelOfMode = (mode: string) => (modeLabels as Record<string, string>)[mode] ?? mode;

function modeField({ modes }: FormModel): PlainInputField {
  return {
    key: 'mode',
    label: 'Mode',
    type: 'string',
    required: true,
    altersDynamicFields: true,
    default: 'text-to-video',
    choices: modes.map((mode) => ({ value: mode, label: labelOfMode(mode), sample: mode })),
    helpText:
      'How the video is created, besides the prompt. Image to Video takes a first frame and, optionally, a last frame. References to Video takes images, videos and audio as references, including at least one image or video.',
  };
}

function inputsField(mode: VideoMode | null, form: FormModel): PlainInputField {
  const url: PlainInputField = {
    key: 'input_url',
    label: 'Input URL',
    type: 'string',
    required: mode !== null,
    helpText:
      'A public https address. Its host must be approved for your API key, which only a real run can check. You can also map the file URL of an earlier generation.',
  };
  const ofMode = [
    ...(mode === 'multimodal-to-video' ? [] : [roleField]),
    ...(mode === 'image-to-video' ? [] : [typeField(form)]),
  ];
  return { key: 'inputs', label: 'Inputs', children: [url, ...ofMode] };
}

const roleField: PlainInputField = {
  key: 'input_role',
  label: 'Role',
  type: 'string',
  choices: Object.entries(roleLabels).map(([value, label]) => ({ value, label, sample: value })),
  helpText:
    'Which frame of the video the image becomes, in Image to Video. One image must be the first frame.',
};

function typeField({ inputs }: FormModel): PlainInputField {
  const kinds = (['image', 'video', 'audio'] as const).filter((kind) => inputs[kind].max_count > 0);
  const nouns = { image: 'images', video: 'videos', audio: 'audio files' };
  const counts = kinds.map((kind) => `${inputs[kind].max_count} ${nouns[kind]}`);
  return {
    key: 'input_type',
    label: 'Type',
    type: 'string',
    choices: kinds.map((kind) => ({ value: kind, label: inputLabels[kind], sample: kind })),
    helpText: `Type of the file at the URL, in References to Video. Defaults to Image. Up to ${counts.join(', ')}.`,
  };
}

function realPersonFields(bundle: Bundle): PlainInputField[] {
  const mode: PlainInputField = {
    key: 'real_person_mode',
    label: videoParameters.real_person_mode.label,
    type: 'boolean',
    altersDynamicFields: true,
    helpText:
      'Choose yes if the inputs show a real person whose consent you have. Fictional people do not need it.',
  };
  const isChosen = parseFlag(bundle.inputData['real_person_mode']) === true;
  const mayBe = isMapped(bundle, 'real_person_mode');
  if (!isChosen && !mayBe) return [mode];
  return [
    mode,
    {
      key: 'rights_confirmed',
      label: 'Rights Confirmed',
      type: 'boolean',
      required: !mayBe,
      helpText: "Choose yes to confirm that you hold the rights to the person's likeness.",
    },
    {
      key: 'consent_reference',
      label: 'Consent Reference',
      type: 'string',
      required: !mayBe,
      helpText:
        'Your own reference for the consent: 1 to 128 letters, digits, and . _ : / - characters.',
    },
  ];
}
