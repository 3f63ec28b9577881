import type { Refusal } from '../../../domain/refusal.ts';
import { formatNumber } from '../../pages/html.ts';
import type { FormErrors } from './fields.ts';
import { parameterNames, type StudioForm } from './studioForm.ts';

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

/** A refusal as errors of fields; what no field can put right stands above the form. */
export function errorsOf(studio: StudioForm, error: Refusal): FormErrors {
  const details =
    error.details.length > 0
      ? error.details
      : error.param === undefined
        ? []
        : [{ param: error.param, message: error.message }];
  const fields = {
    ...Object.fromEntries(
      details.map(({ param, message }): [string, string] => {
        const field = studio.fieldOf(param);
        const slot = studio.slots.find(({ name }) => name === field);
        const isHost = error.code === 'input_host_not_approved' && slot !== undefined;
        return [field, isHost ? hostProblem(slot.url) : message];
      }),
    ),
    ...(error.code === 'invalid_request' && typedProblems(studio)),
  };
  const known = new Set(fieldsOf(studio));
  const others = Object.entries(fields).filter(([name]) => !known.has(name));
  const { credits } = error;
  const message = credits
    ? `This costs ${credits.required} credits, and you have ${credits.available}.`
    : details.length === 0
      ? error.message
      : others.map(([name, text]) => `${name}: ${text}`).join(' ');
  return { fields, message };
}

/** The API's own sentence is about the key of a request, which the studio has not. */
export function hostProblem(url: string): string {
  const host = URL.parse(url)?.host ?? 'this host';
  return `None of your API keys has ${host} approved. Ask for it on the page of your keys, or use a file on an approved host.`;
}

function fieldsOf({ model, slots, hasRealPerson }: StudioForm): string[] {
  const parameters = [
    ...parameterNames[model.type],
    ...(hasRealPerson ? ['real_person_mode'] : []),
  ];
  return [
    'model',
    'mode',
    'prompt',
    ...slots.map(({ name }) => name),
    ...parameters.map((name) => `parameters.${name}`),
    ...(hasRealPerson ? ['compliance.rights_confirmed', 'compliance.consent_reference'] : []),
  ];
}
