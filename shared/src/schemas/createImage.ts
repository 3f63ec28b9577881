import { imageAspectRatios, imageFormats, imageResolutions } from '../model.ts';
import type { CreateImageBody, ImageInputBody, ImageParametersBody } from '../wire.ts';
import { list, object, oneOf, wholeNumber } from './fields.ts';
import { maxImageCount, maxInputCount, inputUrl, modelId, prompt, seed } from './requestFields.ts';

const input = object<ImageInputBody>({
  type: oneOf(['image']).required(),
  url: inputUrl().description(
    'Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations.',
  ),
  role: oneOf(['reference']).description('Default reference.'),
}).meta({ component: 'ImageInput' });

const parameters = object<ImageParametersBody>({
  n: wholeNumber(1, maxImageCount).description('How many images. Default 1.'),
  aspect_ratio: oneOf(imageAspectRatios).description('Default 1:1.'),
  resolution: oneOf(imageResolutions).description('Default 1k. Each model offers some of these.'),
  output_format: oneOf(imageFormats).description('Default png.'),
  seed: seed().description('Chosen by the server when missing, and echoed either way.'),
}).meta({ component: 'ImageParameters' });

/** Body of POST /images: shape and widest bounds. Model-specific rules are checked later. */
export const createImageSchema = object<CreateImageBody>({
  model: modelId().description('An image model of GET /models.'),
  prompt: prompt().description(
    'What to show. Counted in characters after trimming; the limit of each model is in GET /models.',
  ),
  inputs: list(input, maxInputCount).description(
    'Reference images, up to the number of the model.',
  ),
  parameters: parameters.description('What is missing takes the default of the model.'),
})
  .required()
  .meta({ component: 'CreateImage' });
