import {
  type FailureCode,
  type InputRole,
  pageLabel,
  type Parameter,
  parameterTables,
} from '@framegate/contract';
import type { WrongFile } from '@framegate/contract/fileKinds';
import type { NetPrice, OrderedModel, OrderedWork } from '../../../../domain/generations/order.ts';
import { describeWrongFile } from '../../../../texts/describeRefusal.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import { formatNumber } from '../../../pages/html.ts';

const modes: Readonly<Record<string, FixedKey>> = {
  'text-to-video': 'models.textToVideo',
  'image-to-video': 'models.imageToVideo',
  'multimodal-to-video': 'models.multimodalToVideo',
};

/** Name of a mode; its id if it has none. */
export function modeLabel(mode: string): string {
  const key = modes[mode];
  return key === undefined ? mode : text(key);
}

const roles: Readonly<Record<InputRole, FixedKey>> = {
  first_frame: 'models.firstFrame',
  last_frame: 'models.lastFrame',
  reference: 'models.reference',
};

/** Name of an input's role. */
export const inputRoleLabel = (role: InputRole): string => text(roles[role]);

const parameterTexts: Readonly<Record<string, FixedKey>> = {
  duration_seconds: 'models.seconds',
  resolution: 'models.resolution',
  aspect_ratio: 'models.aspectRatio',
  generate_audio: 'models.sound',
  seed: 'models.seed',
  real_person_mode: 'models.realPersonMode',
  n: 'models.images',
  output_format: 'models.format',
  negative_prompt: 'models.negativePrompt',
  guidance: 'models.guidance',
};

/** Name of a parameter; a new one uses the shared table's name until the catalogue has one. */
export function parameterLabel(type: OrderedModel['type'], name: string): string {
  const key = parameterTexts[name];
  if (key !== undefined) return text(key);
  const row: Parameter | undefined = parameterTables[type][name];
  return row ? pageLabel(row) : name.replaceAll('_', ' ');
}

const failures: Readonly<Record<FailureCode, FixedKey>> = {
  input_unreachable: 'failures.input_unreachable',
  input_invalid: 'failures.input_invalid',
  input_rejected: 'failures.input_rejected',
  output_rejected: 'failures.output_rejected',
  real_person_rejected: 'failures.real_person_rejected',
  capacity_exceeded: 'failures.capacity_exceeded',
  generation_timeout: 'failures.generation_timeout',
  generation_failed: 'failures.generation_failed',
  internal_error: 'failures.internal_error',
};

/** Why a generation failed. */
export const describeFailure = (code: FailureCode, wrongFile?: WrongFile): string =>
  wrongFile ? describeWrongFile(wrongFile) : text(failures[code]);

/** How a cost came about, such as `4 s × 7 credits (480p), no sound`; null if it is not a multiple of its units. */
export function priceLabel({
  parameters,
  costCredits,
}: Pick<OrderedWork, 'parameters'> & Pick<NetPrice, 'costCredits'>): string | null {
  const isVideo = 'duration_seconds' in parameters;
  const count = isVideo ? parameters.duration_seconds : parameters.n;
  const each = costCredits / count;
  if (costCredits === 0 || !Number.isInteger(each)) return null;
  const values = { count, each: formatNumber(each), resolution: parameters.resolution };
  if (!isVideo) return text('generation.priceOfImages', values);
  return text(
    parameters.generate_audio ? 'generation.priceWithSound' : 'generation.priceWithoutSound',
    values,
  );
}
