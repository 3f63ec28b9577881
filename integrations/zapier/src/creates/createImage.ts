import type { Create } from 'zapier-platform-core';
import {
  createWaitField,
  maxCreditsField,
  modelField,
  promptField,
  requestKeyField,
} from '../fields/commonFields.ts';
import { imageModelFields } from '../fields/imageFields.ts';
import { imageOrder } from '../imageOrder.ts';
import { imageOutput, imageSampleOutput } from '../output.ts';
import { imageOutputFields } from '../outputFields.ts';
import { imageSample } from '../samples.ts';
import { performCreate } from './performCreate.ts';

/** Makes images and waits for them. */
export const createImage = {
  key: 'create_image',
  noun: 'Image',
  display: {
    label: 'Create Image',
    description: 'Generates one or more images from a prompt and reference images.',
  },
  operation: {
    perform: performCreate({
      order: imageOrder,
      output: imageOutput,
      sampleOutput: imageSampleOutput,
    }),
    inputFields: [
      modelField('image_model_list'),
      promptField('Describe what the images should show.'),
      imageModelFields,
      createWaitField,
      maxCreditsField,
      requestKeyField,
    ],
    outputFields: imageOutputFields,
    sample: imageSample,
  },
} satisfies Create;
