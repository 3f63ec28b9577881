import { inputRoles, inputTypes, videoModes } from '../choices.ts';
import type { CreateVideoBody } from '../generated/wire.ts';
import { videoParameters } from '../parameters.ts';
import { flag, list, object, oneOf } from './fields.ts';
import { givenParameters } from './parameters.ts';
import { consentReference, inputUrl, maxInputCount, modelId, prompt } from './requestFields.ts';

const input = object({
  type: oneOf(inputTypes).required().description('Type of the file behind the URL.'),
  url: inputUrl().description(
    'Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations.',
  ),
  role: oneOf(inputRoles).description(
    'Use of the input. image-to-video takes one first_frame (the default there) and optionally one last_frame; multimodal-to-video takes reference (the default there) only.',
  ),
}).meta({ component: 'VideoInput' });

const parameters = givenParameters(videoParameters).meta({ component: 'VideoParameters' });

const compliance = object({
  rights_confirmed: flag().description('Must be true: you hold the rights to the likeness.'),
  consent_reference: consentReference().description('Your own reference to the consent.'),
}).meta({ component: 'Compliance' });

/** Body of POST /videos: shape and widest bounds. Model-specific rules are checked later. */
export const createVideoSchema = object<CreateVideoBody>({
  model: modelId().description('A video model of GET /models.'),
  mode: oneOf(videoModes).required().description('Each model offers some of these.'),
  prompt: prompt().description(
    'Description of the scene. Counted in characters after trimming; the limit of each model is in GET /models.',
  ),
  inputs: list(input, maxInputCount).description(
    'None for text-to-video; one or two images for image-to-video; images, videos and audios, with at least one image or video, for multimodal-to-video.',
  ),
  parameters: parameters.description('A missing parameter takes the default of the model.'),
  compliance: compliance.description(
    'Only together with parameters.real_person_mode: true, and then required.',
  ),
})
  .required()
  .meta({ component: 'CreateVideo' });
