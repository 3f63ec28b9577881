import { type CreateImageBody, imageParameters } from './generated/contract.ts';
import {
  definedFields,
  type InputData,
  parseInputLines,
  parseRunSettings,
  parseText,
} from './inputValues.ts';
import type { Order } from './order.ts';
import { parseParameters } from './parseParameters.ts';

/**
 * The order of a Create Image step. Values are only cleaned here; the API judges them.
 * @param raw The fields as filled in, before values were mapped into them.
 */
export function imageOrder(data: InputData, raw: InputData = {}): Order {
  const parameters = definedFields(parseParameters(imageParameters, data));
  const inputs = parseInputLines(data).map(({ input_url: url }) => ({ type: 'image', url }));
  const body = {
    model: parseText(data['model']) ?? '',
    prompt: parseText(data['prompt']) ?? '',
    ...(inputs.length > 0 && { inputs }),
    ...(parameters && { parameters }),
  } as CreateImageBody;
  return {
    path: '/images',
    body,
    ...parseRunSettings(data, raw),
  };
}
