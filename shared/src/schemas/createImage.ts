import type { CreateImageBody } from '../generated/wire.ts';
import { imageParameters } from '../parameters.ts';
import { list, object, oneOf } from './fields.ts';
import { givenParameters } from './parameters.ts';
import { inputUrl, maxInputCount, modelId, prompt } from './requestFields.ts';

const input = object({
  type: oneOf(['image']).required(),
  url: inputUrl().description(
    'Public https URL on a host approved for the key (port 443, no user info, no fragment, no IP address), or an output URL of one of your own generations.',
  ),
  role: oneOf(['reference']).description('Default reference.'),
}).meta({ component: 'ImageInput' });

const parameters = givenParameters(imageParameters).meta({ component: 'ImageParameters' });

/** Body of POST /images: shape and widest bounds. Model-specific rules are checked later. */
export const createImageSchema = object<CreateImageBody>({
  model: modelId().description('An image model from GET /models.'),
  prompt: prompt().description(
    "Description of the image. Its length is counted in characters after trimming; GET /models lists each model's limit.",
  ),
  inputs: list(input, maxInputCount).description("Reference images, up to the model's maximum."),
  parameters: parameters.description("Omitted parameters use the model's defaults."),
})
  .required()
  .meta({ component: 'CreateImage' });
