import type { Create, CreatePerform } from 'zapier-platform-core';
import { creditsLeft } from '../balance.ts';
import { createGeneration } from '../createGeneration.ts';
import { dryRun } from '../dryRun.ts';
import { maximumCreditsField, requestKeyField, waitField } from '../fields/commonFields.ts';
import { imageModelFields } from '../fields/imageFields.ts';
import { imageOrder } from '../imageOrder.ts';
import { imageOutput, imageSampleOutput } from '../output.ts';
import { imageOutputFields } from '../outputFields.ts';
import { imageSample } from '../samples.ts';
import { beginReading, beginStep, isLoadingSample } from '../step.ts';

const perform: CreatePerform = async (z, bundle) => {
  const order = imageOrder(bundle.inputData, bundle.inputDataRaw);
  if (isLoadingSample(bundle)) {
    return imageSampleOutput(z, await dryRun(beginReading(z, bundle), order));
  }
  const step = beginStep(z, bundle);
  const created = await createGeneration(step, order);
  return imageOutput(z, created, await creditsLeft(step));
};

/** Makes images and waits for them. */
export const createImage = {
  key: 'create_image',
  noun: 'Image',
  display: {
    label: 'Create Image',
    description: 'Generates one or more images from a prompt and reference images.',
  },
  operation: {
    perform,
    inputFields: [
      {
        key: 'model',
        label: 'Model',
        type: 'string',
        required: true,
        dynamic: 'image_model_list.id.name',
        altersDynamicFields: true,
        helpText: 'The models that your API key may use. More fields follow once one is chosen.',
      },
      {
        key: 'prompt',
        label: 'Prompt',
        type: 'text',
        required: true,
        helpText: 'What the images show, in your own words.',
      },
      imageModelFields,
      waitField,
      maximumCreditsField,
      requestKeyField,
    ],
    outputFields: imageOutputFields,
    sample: imageSample,
  },
} satisfies Create;
