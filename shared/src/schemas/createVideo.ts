import { inputRoles, inputTypes, videoModes } from '../choices.ts';
import type { CreateVideoBody } from '../generated/wire.ts';
import { videoParameters } from '../parameters.ts';
import { flag, list, object, oneOf } from './fields.ts';
import { givenParameters } from './parameters.ts';
import { consentReference, inputUrl, maxInputCount, modelId, prompt } from './requestFields.ts';

const input = object({
  type: oneOf(inputTypes).required().description('Type of the file at the URL.'),
  url: inputUrl().description(
    'Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations.',
  ),
  role: oneOf(inputRoles).description(
    'How the input is used. image-to-video takes one first_frame (the default there) and optionally one last_frame; multimodal-to-video takes reference (the default there) only.',
  ),
}).meta({ component: 'VideoInput' });

const parameters = givenParameters(videoParameters).meta({ component: 'VideoParameters' });

const compliance = object({
  rights_confirmed: flag().description('Must be true: you hold the rights to the likeness.'),
  consent_reference: consentReference().description('Your own reference for the consent.'),
}).meta({ component: 'Compliance' });

/** Body of POST /videos: shape and widest bounds. Model-specific rules are checked later. */
export const createVideoSchema = object<CreateVideoBody>({
  model: modelId().description('A video model from GET /models.'),
  mode: oneOf(videoModes).required().description('Each model offers some of these.'),
  prompt: prompt().description(
    "Description of the scene. Its length is counted in characters after trimming; GET /models lists each model's limit.",
  ),
  inputs: list(input, maxInputCount).description(
    'None for text-to-video; one or two images for image-to-video; images, videos and audio files, with at least one image or video, for multimodal-to-video.',
  ),
  parameters: parameters.description("Omitted parameters use the model's defaults."),
  compliance: compliance.description(
    'Required with parameters.real_person_mode: true; not allowed otherwise.',
  ),
})
  .required()
  .meta({ component: 'CreateVideo' });
