import type { INodeProperties } from 'n8n-workflow';
import { createOptions } from '../fields/createOptions';
import { variants, videoModels } from '../fields/forModels';
import { modeNames, roleNames } from '../fields/labels';
import { modelField } from '../fields/model';
import {
  aspectRatioField,
  parametersField,
  resolutionField,
  seedField,
} from '../fields/parameters';
import { videoModes, type VideoMode, type VideoModel } from '../generated/contract';

const show = { resource: ['video'], operation: ['create'] };
const withInputs: VideoMode[] = ['image-to-video', 'multimodal-to-video'];

const modeDescriptions: Record<VideoMode, string> = {
  'image-to-video': 'Start from a picture, and end with a second one if you like',
  'multimodal-to-video': 'Follow pictures, videos and sounds, with at least one picture or video',
  'text-to-video': 'Start from the prompt alone',
};

const usual = videoModels[0]?.defaults;

function modeField(modes: readonly VideoMode[]): INodeProperties {
  const options = modes.map((value) => ({
    name: modeNames[value],
    value,
    description: modeDescriptions[value],
  }));
  return {
    displayName: 'Mode',
    name: 'mode',
    type: 'options',
    options: options.sort((a, b) => a.name.localeCompare(b.name)),
    default: 'text-to-video',
    description: 'What the video is made from',
    displayOptions: { show },
  };
}

function durationField([range]: readonly VideoModel['duration'][]): INodeProperties {
  const usualSeconds = range?.default ?? 5;
  return {
    displayName: 'Duration (Seconds)',
    name: 'durationSeconds',
    type: 'number',
    typeOptions: {
      minValue: range?.min ?? 1,
      numberPrecision: 0,
      ...(range && { maxValue: range.max }),
    },
    default: usualSeconds,
    description: 'Length of the video in whole seconds',
  };
}

const audioField: INodeProperties = {
  displayName: 'Generate Audio',
  name: 'generateAudio',
  type: 'boolean',
  default: false,
  description: 'Whether to make sound for the video, which costs more credits',
};

const inputsField: INodeProperties = {
  displayName: 'Inputs',
  name: 'inputs',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Input' },
  placeholder: 'Add Input',
  default: {},
  description:
    'Public https addresses of the files to start from, on hosts approved for your key. Entries without an address are left out.',
  displayOptions: { show: { ...show, mode: withInputs } },
  options: [
    {
      displayName: 'Input',
      name: 'values',
      values: [
        {
          displayName: 'Type',
          name: 'type',
          type: 'options',
          options: [
            { name: 'Audio', value: 'audio' },
            { name: 'Image', value: 'image' },
            { name: 'Video', value: 'video' },
          ],
          default: 'image',
          description: 'Kind of file behind the address',
          displayOptions: { hide: { '/mode': ['image-to-video'] } },
        },
        {
          displayName: 'Use As',
          name: 'role',
          type: 'options',
          options: [
            { name: roleNames.first_frame, value: 'first_frame' },
            { name: roleNames.last_frame, value: 'last_frame' },
          ],
          default: 'first_frame',
          description: 'Place of the picture in the video',
          displayOptions: { hide: { '/mode': ['multimodal-to-video'] } },
        },
        {
          displayName: 'URL',
          name: 'url',
          type: 'string',
          default: '',
          placeholder: 'e.g. https://files.example.com/portrait.jpg',
          description: 'Public https address of the file',
        },
      ],
    },
  ],
};

/** Shown where the contract allows real-person mode, and where only the API knows whether it does. */
function realPersonField(field: INodeProperties, more: Record<string, boolean[]> = {}) {
  return variants(
    videoModels,
    (model) => model.realPersonModes,
    (modes) => {
      const others = videoModes.filter((mode) => !modes.includes(mode));
      return { ...field, displayOptions: { show, hide: { mode: others, ...more } } };
    },
  );
}

const realPersonFields: INodeProperties[] = [
  ...realPersonField({
    displayName: 'Real-Person Mode',
    name: 'realPersonMode',
    type: 'boolean',
    default: false,
    description: "Whether an input shows a real person's likeness. Fictional people need no mode.",
  }),
  ...realPersonField(
    {
      displayName: 'Rights Confirmed',
      name: 'rightsConfirmed',
      type: 'boolean',
      default: false,
      description: 'Whether you confirm that you have the rights to use this likeness',
    },
    { realPersonMode: [false] },
  ),
  ...realPersonField(
    {
      displayName: 'Consent Reference',
      name: 'consentReference',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. consent/2026-0042',
      description: 'Your own reference to the consent of the person, for audits',
    },
    { realPersonMode: [false] },
  ),
];

/** What decides the price. */
const pricedFields: INodeProperties[] = [
  ...variants(videoModels, (model) => [model.duration], durationField),
  ...variants(
    videoModels,
    (model) => (model.generateAudio ? [true] : []),
    () => audioField,
  ),
  ...variants(
    videoModels,
    (model) => model.resolutions,
    (values) => resolutionField(values, usual?.resolution ?? ''),
  ),
];

const otherFields: INodeProperties[] = [
  ...variants(
    videoModels,
    (model) => model.aspectRatios,
    (values) => aspectRatioField(values, usual?.aspectRatio ?? ''),
  ),
  seedField,
];

/** Fields of Video: Create and Estimate Price. */
export const videoFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['video'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create video',
        description: 'Create a video from a prompt, pictures or other media',
      },
      {
        name: 'Estimate Price',
        value: 'estimatePrice',
        action: 'Estimate video price',
        description: 'Tell what a video would cost; nothing is created or paid',
      },
    ],
    default: 'create',
  },
  modelField('video', 'searchVideoModels'),
  ...variants(videoModels, (model) => model.modes, modeField),
  {
    displayName: 'Prompt',
    name: 'prompt',
    type: 'string',
    typeOptions: { rows: 4 },
    default: '',
    required: true,
    placeholder: 'e.g. A paper boat drifts down a rainy street, slow pan',
    description: 'What the video shows, in plain words',
    displayOptions: { show },
  },
  inputsField,
  ...realPersonFields,
  parametersField('video', 'create', [...otherFields, ...pricedFields]),
  parametersField('video', 'estimatePrice', pricedFields),
  ...createOptions('video'),
];
