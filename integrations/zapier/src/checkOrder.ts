import { checkInputs } from './checkInputs.ts';
import { seedRange, type CreateVideoBody, type ModelEntry } from './generated/contract.ts';
import type { FieldProblem } from './labels.ts';
import type { Order } from './order.ts';

/** What an order's parameters may hold: values as they were read, also text that is no number. */
export type ReadParameters = Readonly<Record<string, unknown>>;

/**
 * What the API would refuse of an order for this model, as far as GET /models tells: shapes, bounds
 * and choices. Hosts of input URLs, the key's daily limit and the safety check are known to it alone.
 */
export function orderProblems(model: ModelEntry, { body }: Pick<Order, 'body'>): FieldProblem[] {
  const { parameters = {} } = body;
  return [
    ...promptProblems(model, body.prompt),
    ...('mode' in body ? modeProblems(model, body.mode) : []),
    ...checkInputs(model, body),
    ...parameterProblems(model, { ...parameters }),
    ...('mode' in body ? consentProblems(body) : []),
  ];
}

/** What the API would refuse of the parameters alone. */
export function parameterProblems(
  { display_name, type, capabilities }: ModelEntry,
  parameters: ReadParameters,
): FieldProblem[] {
  const { duration_seconds, resolutions, aspect_ratios, generate_audio, n } = capabilities;
  const { output_formats } = capabilities;
  const sound = parameters['generate_audio'];
  const problems = [
    ...outside(display_name, 'duration_seconds', parameters, duration_seconds, 'seconds'),
    ...outside(display_name, 'n', parameters, n, 'images'),
    ...notOffered(display_name, 'resolution', parameters, resolutions),
    ...notOffered(display_name, 'aspect_ratio', parameters, aspect_ratios),
    ...(type === 'image'
      ? notOffered(display_name, 'output_format', parameters, output_formats)
      : []),
    ...outside('The API', 'seed', parameters, seedRange, ''),
    ...(sound === true && !generate_audio ? [silent(display_name)] : []),
    ...['generate_audio', 'real_person_mode'].flatMap((key) => noFlag(key, parameters[key])),
  ];
  return problems.map(({ param, message }) => ({ param: `parameters.${param}`, message }));
}

function promptProblems(
  { display_name, capabilities }: ModelEntry,
  prompt: string,
): FieldProblem[] {
  const length = Array.from(prompt).length;
  const most = capabilities.max_prompt_length.toLocaleString('en-US');
  const problem = (message: string) => [{ param: 'prompt', message }];
  if (length === 0) return problem(`Must be text of 1 to ${most} characters.`);
  if (/[\p{Surrogate}\0]/u.test(prompt)) return problem('Must be valid text.');
  if (length <= capabilities.max_prompt_length) return [];
  const long = length.toLocaleString('en-US');
  return problem(
    `${display_name} takes prompts of up to ${most} characters; this one has ${long}.`,
  );
}

function modeProblems({ display_name, capabilities }: ModelEntry, mode: string): FieldProblem[] {
  return notOffered(display_name, 'mode', { mode }, capabilities.modes);
}

function consentProblems({ compliance }: CreateVideoBody): FieldProblem[] {
  const reference = compliance?.consent_reference;
  const isGood = reference === undefined || /^[A-Za-z0-9._:/-]{1,128}$/.test(reference);
  const message = 'Must be 1 to 128 letters, digits and . _ : / - characters.';
  return [
    ...(isGood ? [] : [{ param: 'compliance.consent_reference', message }]),
    ...noFlag('compliance.rights_confirmed', compliance?.rights_confirmed),
  ];
}

function outside(
  model: string,
  param: string,
  parameters: ReadParameters,
  range: Readonly<{ min: number; max: number }> | null,
  unit: string,
): FieldProblem[] {
  const value = parameters[param];
  if (value === undefined || range === null) return [];
  const { min, max } = range;
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return [];
  const what = unit === '' ? '' : ` ${unit}`;
  return [{ param, message: `${model} takes a whole number from ${min} to ${max}${what}.` }];
}

function notOffered(
  model: string,
  param: string,
  parameters: ReadParameters,
  offered: readonly string[],
): FieldProblem[] {
  const value = parameters[param];
  if (value === undefined || offered.some((each) => each === value)) return [];
  return [{ param, message: `${model} offers ${offered.join(', ')}.` }];
}

function silent(model: string): FieldProblem {
  return { param: 'generate_audio', message: `${model} makes no sound. Choose no.` };
}

function noFlag(param: string, value: unknown): FieldProblem[] {
  return value === undefined || typeof value === 'boolean'
    ? []
    : [{ param, message: 'Must be yes or no.' }];
}
