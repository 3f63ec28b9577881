import type { Model } from '@framegate/contract';
import type { Refusal } from '../../../../domain/refusal.ts';
import { describeDetail, describeRefusal } from '../../../../texts/describeRefusal.ts';
import { text } from '../../../../texts/text.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { formatNumber } from '../../../pages/html.ts';
import { formParameters, maxLines, type StudioForm } from './studioForm.ts';

/**
 * Validates numbers and prompt against the bounds of the chosen model. The API first checks bounds that
 * cover all models; customers see only those of their model.
 * @returns Messages by field.
 */
export function typedProblems({ model, typed, body, lines }: StudioForm): Record<string, string> {
  const [name, { min, max }] =
    model.type === 'video'
      ? (['duration_seconds', model.duration] as const)
      : (['n', model.n] as const);
  const value = typed[name];
  const units = value === undefined ? min : Number(value);
  const fits = Number.isInteger(units) && units >= min && units <= max;
  const prompt = lines ? listProblem(lines, model) : promptProblem(String(body['prompt']), model);
  return {
    ...(prompt !== null && { prompt }),
    ...(!fits && { [`parameters.${name}`]: text('studio.wholeNumber', { min, max }) }),
  };
}

const lengthOf = (words: string) => Array.from(words.trim()).length;

function promptProblem(
  prompt: string,
  { maxPromptLength: max }: Pick<Model, 'maxPromptLength'>,
): string | null {
  const length = lengthOf(prompt);
  if (length === 0) return text('studio.writeFirst');
  if (length <= max) return null;
  return text('studio.tooManyCharacters', {
    max: formatNumber(max),
    count: formatNumber(length),
  });
}

function listProblem(
  lines: readonly string[],
  { maxPromptLength: max }: Pick<Model, 'maxPromptLength'>,
): string | null {
  if (lines.length === 0) return text('studio.writeFirst');
  if (lines.length > maxLines) {
    return text('studio.tooManyLines', { max: maxLines, count: lines.length });
  }
  const index = lines.findIndex((line) => lengthOf(line) > max);
  if (index === -1) return null;
  const length = formatNumber(lengthOf(lines[index] ?? ''));
  return text('studio.lineTooLong', { max: formatNumber(max), line: index + 1, count: length });
}

/** Converts a refusal to errors of fields; other errors appear above the form. */
export function errorsOf(studio: StudioForm, error: Refusal): FormErrors {
  const { param } = error;
  const own = param === undefined ? [] : [[param, describeRefusal(error)] as const];
  const problems =
    error.details.length > 0
      ? error.details.map((detail) => [detail.param, describeDetail(detail)] as const)
      : own;
  const fields = {
    ...Object.fromEntries(
      problems.map(([at, words]): [string, string] => {
        const field = studio.fieldOf(at);
        const slot = studio.slots.find(({ name }) => name === field);
        const isHost = error.code === 'input_host_not_approved' && slot !== undefined;
        return [field, isHost ? hostProblem(slot.url) : words];
      }),
    ),
    ...(error.code === 'invalid_request' && typedProblems(studio)),
  };
  const ownFields = new Set(formFieldNames(studio));
  const others = Object.entries(fields).filter(([name]) => !ownFields.has(name));
  const { credits } = error;
  const message = credits
    ? text('studio.tooExpensive', { credits: credits.required, available: credits.available })
    : problems.length === 0
      ? describeRefusal(error)
      : others.map(([name, problem]) => `${name}: ${problem}`).join(' ');
  return { fields, message };
}

/** Message for an unapproved host; that of the API refers to the key of a request. */
export function hostProblem(url: string): string {
  const host = URL.parse(url)?.host ?? text('studio.thisHost');
  return text('studio.hostNotApproved', { host });
}

function formFieldNames({ model, slots, hasRealPerson }: StudioForm): string[] {
  const parameters = [
    ...formParameters(model).map(([name]) => name),
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
