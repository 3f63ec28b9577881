import {
  type CreateVideoBody,
  inputTypes,
  type VideoInputBody,
  type VideoMode,
  videoModes,
  videoParameters,
} from './generated/contract.ts';
import {
  definedFields,
  type InputData,
  parseChoice,
  parseFlag,
  parseInputLines,
  parseRunSettings,
  parseText,
} from './inputValues.ts';
import { inputLabels, modeLabels, roleLabels } from './labels.ts';
import type { Order } from './order.ts';
import { parseParameters } from './parseParameters.ts';

/**
 * The order of a Create Video step. Values are only cleaned here; the API judges them. Compliance is sent only with
 * real-person mode, whose hidden fields may still hold old values.
 * @param raw The fields as filled in, before values were mapped into them.
 */
export function videoOrder(data: InputData, raw: InputData = {}): Order {
  const isRealPerson = parseFlag(data['real_person_mode']);
  const parameters = definedFields(parseParameters(videoParameters, data));
  const compliance = definedFields({
    rights_confirmed: parseFlag(data['rights_confirmed']),
    consent_reference: parseText(data['consent_reference']),
  });
  const mode = (parseChoice(data['mode'], videoModes, modeLabels) ?? 'text-to-video') as VideoMode;
  const inputs = parseInputLines(data).map((line) => parseInput(mode, line));
  const body = {
    model: parseText(data['model']) ?? '',
    mode,
    prompt: parseText(data['prompt']) ?? '',
    ...(inputs.length > 0 && mode !== 'text-to-video' && { inputs }),
    ...(parameters && { parameters: parameters as CreateVideoBody['parameters'] }),
    ...(compliance && isRealPerson === true && { compliance }),
  } as CreateVideoBody;
  return {
    path: '/videos',
    body,
    ...parseRunSettings(data, raw),
  };
}

/** Only the fields that the form shows in this mode: a line may still hold values of another one. */
function parseInput(mode: VideoMode, line: InputData & { input_url: string }): VideoInputBody {
  const url = line.input_url;
  const type = parseChoice(line['input_type'], inputTypes, inputLabels) ?? 'image';
  const role = parseChoice(line['input_role'], Object.keys(roleLabels), roleLabels);
  if (mode === 'multimodal-to-video') return { type, url } as VideoInputBody;
  return { type: 'image', url, ...(role !== undefined && { role }) } as VideoInputBody;
}
