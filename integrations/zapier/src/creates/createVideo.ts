import type { Create, CreatePerform } from 'zapier-platform-core';
import { creditsLeft } from '../balance.ts';
import { createGeneration } from '../createGeneration.ts';
import { dryRun } from '../dryRun.ts';
import { maximumCreditsField, requestKeyField, waitField } from '../fields/commonFields.ts';
import { videoModelFields } from '../fields/videoFields.ts';
import { videoOutput, videoSampleOutput } from '../output.ts';
import { videoOutputFields } from '../outputFields.ts';
import { videoSample } from '../samples.ts';
import { beginReading, beginStep, isLoadingSample } from '../step.ts';
import { videoOrder } from '../videoOrder.ts';

const perform: CreatePerform = async (z, bundle) => {
  const order = videoOrder(bundle.inputData, bundle.inputDataRaw);
  if (isLoadingSample(bundle)) {
    return videoSampleOutput(z, await dryRun(beginReading(z, bundle), order));
  }
  const step = beginStep(z, bundle);
  const created = await createGeneration(step, order);
  return videoOutput(z, created, await creditsLeft(step));
};

/** Makes a video and waits for it. */
export const createVideo = {
  key: 'create_video',
  noun: 'Video',
  display: {
    label: 'Create Video',
    description: 'Generates a video from a prompt, images, or other references.',
  },
  operation: {
    perform,
    inputFields: [
      {
        key: 'model',
        label: 'Model',
        type: 'string',
        required: true,
        dynamic: 'video_model_list.id.name',
        altersDynamicFields: true,
        helpText: 'The models that your API key may use. More fields follow once one is chosen.',
      },
      {
        key: 'prompt',
        label: 'Prompt',
        type: 'text',
        required: true,
        helpText: 'What the video shows, in your own words.',
      },
      videoModelFields,
      waitField,
      maximumCreditsField,
      requestKeyField,
    ],
    outputFields: videoOutputFields,
    sample: videoSample,
  },
} satisfies Create;
