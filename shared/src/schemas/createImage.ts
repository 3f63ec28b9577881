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
  model: modelId().description('An image model of GET /models.'),
  prompt: prompt().description(
    'Description of the image. Counted in characters after trimming; the limit of each model is in GET /models.',
  ),
  inputs: list(input, maxInputCount).description(
    'Reference images, up to the number of the model.',
  ),
  parameters: parameters.description('A missing parameter takes the default of the model.'),
})
  .required()
  .meta({ component: 'CreateImage' });
