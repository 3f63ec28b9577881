import type { Bundle, PlainInputField } from 'zapier-platform-core';
import type { Capabilities, ModelEntry, VideoMode } from '../generated/contract.ts';
import { readFlag, readText } from '../inputValues.ts';
import { choiceField, fieldsByModel } from './modelFields.ts';
import { seedField } from './commonFields.ts';

/** The fields of Create Video that depend on the model and the mode. */
export const videoModelFields = fieldsByModel('video', fieldsOf);

const modeLabels: Readonly<Record<VideoMode, string>> = {
  'text-to-video': 'Text to Video',
  'image-to-video': 'Image to Video (First and Last Frame)',
  'multimodal-to-video': 'References to Video (Images, Videos, and Audio)',
};

function fieldsOf({ capabilities }: ModelEntry, { inputData }: Bundle): PlainInputField[] {
  const mode = capabilities.modes.find((each) => each === readText(inputData['mode']));
  const chosen = mode ?? 'text-to-video';
  return [
    modeField(capabilities),
    ...(chosen === 'text-to-video' ? [] : [inputsField(chosen, capabilities)]),
    ...parameterFields(capabilities),
    ...(capabilities.real_person_modes.includes(chosen) ? realPersonFields(inputData) : []),
  ];
}

function modeField({ modes }: Capabilities): PlainInputField {
  return {
    key: 'mode',
    label: 'Mode',
    type: 'string',
    required: true,
    altersDynamicFields: true,
    default: 'text-to-video',
    choices: modes.map((mode) => ({ value: mode, label: modeLabels[mode], sample: mode })),
    helpText: 'What the video is made from, besides the prompt.',
  };
}

function inputsField(mode: VideoMode, { inputs }: Capabilities): PlainInputField {
  const url: PlainInputField = {
    key: 'input_url',
    label: 'Input URL',
    type: 'string',
    required: true,
    helpText:
      'A public https address on a host that is approved for your API key. The file URL of an earlier generation works too.',
  };
  if (mode === 'image-to-video') {
    const roles = [
      { value: 'first_frame', label: 'First Frame', sample: 'first_frame' },
      { value: 'last_frame', label: 'Last Frame', sample: 'last_frame' },
    ];
    const helpText = 'Which frame the image becomes. A first frame is needed.';
    const role: PlainInputField = { key: 'input_role', label: 'Role', choices: roles, helpText };
    return { key: 'inputs', label: 'Inputs', children: [url, role] };
  }
  const kinds = (['image', 'video', 'audio'] as const).filter((kind) => inputs[kind].max_count > 0);
  const labels = { image: 'Image', video: 'Video', audio: 'Audio' };
  const counts = kinds.map((kind) => `${inputs[kind].max_count} of type ${kind}`);
  const type: PlainInputField = {
    key: 'input_type',
    label: 'Type',
    choices: kinds.map((kind) => ({ value: kind, label: labels[kind], sample: kind })),
    helpText: `What the address leads to; an image when left empty. At most ${counts.join(', ')}.`,
  };
  return { key: 'inputs', label: 'Inputs', children: [url, type] };
}

function parameterFields(capabilities: Capabilities): PlainInputField[] {
  const { duration_seconds: duration, resolutions, aspect_ratios, generate_audio } = capabilities;
  const fields: PlainInputField[] = [];
  if (duration !== null) {
    fields.push({
      key: 'duration_seconds',
      label: 'Duration in Seconds',
      type: 'integer',
      placeholder: String(duration.default),
      helpText: `A whole number from ${duration.min} to ${duration.max}. It is ${duration.default} when left empty.`,
    });
  }
  fields.push(
    choiceField('resolution', 'Resolution', resolutions, 'It is 720p when left empty.'),
    choiceField('aspect_ratio', 'Aspect Ratio', aspect_ratios, 'It is 16:9 when left empty.'),
  );
  if (generate_audio) {
    fields.push({
      key: 'generate_audio',
      label: 'Generate Audio',
      type: 'boolean',
      helpText: 'Choose yes for a video with sound, which costs more.',
    });
  }
  return [...fields, seedField];
}

function realPersonFields(inputData: Bundle['inputData']): PlainInputField[] {
  const mode: PlainInputField = {
    key: 'real_person_mode',
    label: 'Real-Person Mode',
    type: 'boolean',
    altersDynamicFields: true,
    helpText:
      'Choose yes when the inputs show a real person whose consent you hold. Fictional people need no mode.',
  };
  if (readFlag(inputData['real_person_mode']) !== true) return [mode];
  return [
    mode,
    {
      key: 'rights_confirmed',
      label: 'Rights Confirmed',
      type: 'boolean',
      required: true,
      helpText: 'Choose yes to confirm that you hold the rights to the likeness.',
    },
    {
      key: 'consent_reference',
      label: 'Consent Reference',
      type: 'string',
      required: true,
      helpText:
        'Your own reference to the consent, of 1 to 128 letters, digits, and . _ : / - characters.',
    },
  ];
}
