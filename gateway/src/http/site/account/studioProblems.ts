import { formatNumber } from '../../pages/html.ts';
import type { StudioForm } from './studioForm.ts';

/**
 * What is wrong with the numbers and the prompt, by field, in the bounds of the chosen model. The API checks
 * the shape of a body first, in bounds that fit all models, and the model's own when that is right; people
 * are told once, and of the bounds that stand at the field.
 */
export function typedProblems({ model, typed, body }: StudioForm): Record<string, string> {
  const [name, { min, max }] =
    model.type === 'video'
      ? (['duration_seconds', model.duration] as const)
      : (['n', model.n] as const);
  const value = typed[name];
  const units = value === undefined ? min : Number(value);
  const fits = Number.isInteger(units) && units >= min && units <= max;
  const { length } = Array.from(String(body['prompt']).trim());
  return {
    ...(length > model.maxPromptLength && {
      prompt: `Use at most ${formatNumber(model.maxPromptLength)} characters; these are ${formatNumber(length)}.`,
    }),
    ...(!fits && { [`parameters.${name}`]: `Must be a whole number from ${min} to ${max}.` }),
  };
}
