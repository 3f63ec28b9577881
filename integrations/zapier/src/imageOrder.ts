import {
  imageAspectRatios,
  imageFormats,
  imageResolutions,
  type CreateImageBody,
} from './generated/contract.ts';
import {
  given,
  readChoice,
  readInteger,
  readLines,
  readRunSettings,
  readText,
  type InputData,
} from './inputValues.ts';
import type { Order } from './order.ts';

/**
 * The order of a Create Image step. Values are only cleaned here, the API judges them.
 * @param raw The fields as they were filled in, before values were mapped into them.
 */
export function imageOrder(data: InputData, raw: InputData = {}): Order {
  const parameters = given({
    n: readInteger(data['n']),
    aspect_ratio: readChoice(data['aspect_ratio'], imageAspectRatios),
    resolution: readChoice(data['resolution'], imageResolutions),
    output_format: readChoice(data['output_format'], imageFormats),
    seed: readInteger(data['seed']),
  });
  const inputs = readLines(data, 'inputs', ['input_url']).map((line) => ({
    type: 'image',
    url: readText(line['input_url']) ?? '',
  }));
  const body = {
    model: readText(data['model']) ?? '',
    prompt: readText(data['prompt']) ?? '',
    ...(inputs.length > 0 && { inputs }),
    ...(parameters && { parameters }),
  } as CreateImageBody;
  return {
    path: '/images',
    body,
    ...readRunSettings(data, raw),
  };
}
