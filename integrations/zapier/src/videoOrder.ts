import {
  type CreateVideoBody,
  inputTypes,
  type VideoInputBody,
  type VideoMode,
  videoModes,
  videoParameters,
} from './generated/contract.ts';
import {
  given,
  type InputData,
  readChoice,
  readFlag,
  readInputLines,
  readRunSettings,
  readText,
} from './inputValues.ts';
import { inputLabels, modeLabels, roleLabels } from './labels.ts';
import type { Order } from './order.ts';
import { readParameters } from './readParameters.ts';

/**
 * The order of a Create Video step. Values are only cleaned here; the API judges them. Compliance is sent only with
 * real-person mode, whose hidden fields may still hold old values.
 * @param raw The fields as filled in, before values were mapped into them.
 */
export function videoOrder(data: InputData, raw: InputData = {}): Order {
  const isRealPerson = readFlag(data['real_person_mode']);
  const parameters = given(readParameters(videoParameters, data));
  const compliance = given({
    rights_confirmed: readFlag(data['rights_confirmed']),
    consent_reference: readText(data['consent_reference']),
  });
  const mode = (readChoice(data['mode'], videoModes, modeLabels) ?? 'text-to-video') as VideoMode;
  const inputs = readInputLines(data).map((line) => readInput(mode, line));
  const body = {
    model: readText(data['model']) ?? '',
    mode,
    prompt: readText(data['prompt']) ?? '',
    ...(inputs.length > 0 && mode !== 'text-to-video' && { inputs }),
    ...(parameters && { parameters: parameters as CreateVideoBody['parameters'] }),
    ...(compliance && isRealPerson === true && { compliance }),
  } as CreateVideoBody;
  return {
    path: '/videos',
    body,
    ...readRunSettings(data, raw),
  };
}

/** Only the fields that the form shows in this mode: a line may still hold values of another one. */
function readInput(mode: VideoMode, line: InputData & { input_url: string }): VideoInputBody {
  const url = line.input_url;
  const type = readChoice(line['input_type'], inputTypes, inputLabels) ?? 'image';
  const role = readChoice(line['input_role'], Object.keys(roleLabels), roleLabels);
  if (mode === 'multimodal-to-video') return { type, url } as VideoInputBody;
  return { type: 'image', url, ...(role !== undefined && { role }) } as VideoInputBody;
}
