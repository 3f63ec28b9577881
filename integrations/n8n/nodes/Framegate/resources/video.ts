import type { INodeProperties } from 'n8n-workflow';
import { createOptions } from '../fields/createOptions';
import { modeNames, roleNames } from '../fields/labels';
import { modelField } from '../fields/model';
import { parameterFields, parametersField } from '../fields/parameters';
import { videoParameters } from '../generated/contract';

const show = { resource: ['video'], operation: ['create'] };
const showInputs = { ...show, mode: ['image-to-video', 'multimodal-to-video'] };

const modeField: INodeProperties = {
  displayName: 'Mode',
  name: 'mode',
  type: 'options',
  options: [
    {
      name: modeNames['image-to-video'],
      value: 'image-to-video',
      description: 'Start from an image and optionally end with a second one',
    },
    {
      name: modeNames['multimodal-to-video'],
      value: 'multimodal-to-video',
      description: 'Use images, videos and audio as references, with at least one image or video',
    },
    {
      name: modeNames['text-to-video'],
      value: 'text-to-video',
      description: 'Start from the prompt only',
    },
  ],
  default: 'text-to-video',
  description: 'How the video is created. The model list shows the modes of each model.',
  displayOptions: { show },
};

const inputsField: INodeProperties = {
  displayName: 'Inputs',
  name: 'inputs',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Input' },
  placeholder: 'Add Input',
  default: {},
  description:
    'Public https URLs of the files to start from, on hosts approved for your key. Entries without a URL are ignored.',
  displayOptions: { show: showInputs },
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
          description: 'Type of the file at the URL',
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
          description: 'Frame of the video for which the image is used',
          displayOptions: { hide: { '/mode': ['multimodal-to-video'] } },
        },
        {
          displayName: 'URL',
          name: 'url',
          type: 'string',
          default: '',
          placeholder: 'e.g. https://files.example.com/portrait.jpg',
          description: 'Public https URL of the file',
        },
      ],
    },
  ],
};

const showConsent = { ...showInputs, realPersonMode: [true] };

const realPersonFields: INodeProperties[] = [
  {
    displayName: 'Real-Person Mode',
    name: 'realPersonMode',
    type: 'boolean',
    default: false,
    description: videoParameters.real_person_mode.hint,
    displayOptions: { show: showInputs },
  },
  {
    displayName: 'Rights Confirmed',
    name: 'rightsConfirmed',
    type: 'boolean',
    default: false,
    description: 'Whether you confirm that you have the rights to use this likeness',
    displayOptions: { show: showConsent },
  },
  {
    displayName: 'Consent Reference',
    name: 'consentReference',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. consent/2026-0042',
    description: "Your own reference for the person's consent, such as the number of a signed form",
    displayOptions: { show: showConsent },
  },
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
        description: 'Create a video from a prompt, images or other media',
      },
      {
        name: 'Estimate Price',
        value: 'estimatePrice',
        action: 'Estimate video price',
        description: 'Estimate the price of a video; nothing is created or charged',
      },
    ],
    default: 'create',
  },
  modelField('video', 'searchVideoModels'),
  modeField,
  {
    displayName: 'Prompt',
    name: 'prompt',
    type: 'string',
    typeOptions: { rows: 4 },
    default: '',
    required: true,
    placeholder: 'e.g. A paper boat drifts down a rainy street, slow pan',
    description: 'Description of the video in plain words',
    displayOptions: { show },
  },
  inputsField,
  ...realPersonFields,
  parametersField('video', 'create', parameterFields(videoParameters, 'all')),
  parametersField('video', 'estimatePrice', parameterFields(videoParameters, 'priced')),
  ...createOptions('video'),
];
