import type { Create } from 'zapier-platform-core';
import {
  createWaitField,
  maxCreditsField,
  modelField,
  promptField,
  requestKeyField,
} from '../fields/commonFields.ts';
import { videoModelFields } from '../fields/videoFields.ts';
import { videoOutput, videoSampleOutput } from '../output.ts';
import { videoOutputFields } from '../outputFields.ts';
import { videoSample } from '../samples.ts';
import { videoOrder } from '../videoOrder.ts';
import { performCreate } from './performCreate.ts';

/** Makes a video and waits for it. */
export const createVideo = {
  key: 'create_video',
  noun: 'Video',
  display: {
    label: 'Create Video',
    description: 'Generates a video from a prompt, images, or other references.',
  },
  operation: {
    perform: performCreate({
      order: videoOrder,
      output: videoOutput,
      sampleOutput: videoSampleOutput,
    }),
    inputFields: [
      modelField('video_model_list'),
      promptField('Describe what the video should show.'),
      videoModelFields,
      createWaitField,
      maxCreditsField,
      requestKeyField,
    ],
    outputFields: videoOutputFields,
    sample: videoSample,
  },
} satisfies Create;
