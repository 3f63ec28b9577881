import { type CreateImageBody, imageParameters } from './generated/contract.ts';
import { given, type InputData, readInputLines, readRunSettings, readText } from './inputValues.ts';
import type { Order } from './order.ts';
import { readParameters } from './readParameters.ts';

/**
 * The order of a Create Image step. Values are only cleaned here; the API judges them.
 * @param raw The fields as filled in, before values were mapped into them.
 */
export function imageOrder(data: InputData, raw: InputData = {}): Order {
  const parameters = given(readParameters(imageParameters, data));
  const inputs = readInputLines(data).map(({ input_url: url }) => ({ type: 'image', url }));
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
