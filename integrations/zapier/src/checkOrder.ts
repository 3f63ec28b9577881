import { checkInputs } from './checkInputs.ts';
import {
  type ByKind,
  byKind,
  type Capabilities,
  choicesOf,
  type CreateVideoBody,
  hasFlag,
  inFormOrder,
  maxLengthOf,
  type ModelEntry,
  type Parameter,
  parameterTables,
  rangeOf,
} from './generated/contract.ts';
import type { FieldProblem } from './labels.ts';
import type { Order } from './order.ts';

/** Values of an order's parameters as read, including text that is not a number. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/**
 * The API's refusals of an order for this model that can be derived from GET /models: shapes, bounds and choices. Only
 * the API knows hosts of input URLs, the key's daily limit and the safety check.
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

/** The API's refusals of the parameters alone: sizes and choices first, then flags. */
export function parameterProblems(model: ModelEntry, parameters: ParameterValues): FieldProblem[] {
  const rows = inFormOrder(parameterTables[model.type]);
  const isFlag = ([, { kind }]: [string, Parameter]) => kind === 'flag';
  const problems = [
    ...rows.filter((row) => !isFlag(row)).flatMap((row) => valueProblems(model, row, parameters)),
    ...rows.filter(isFlag).flatMap((row) => valueProblems(model, row, parameters)),
    ...rows.filter(isFlag).flatMap(([name]) => noFlag(name, parameters[name])),
  ];
  return problems.map(({ param, message }) => ({ param: `parameters.${param}`, message }));
}

function valueProblems(
  { display_name, capabilities }: ModelEntry,
  [name, row]: [string, Parameter],
  parameters: ParameterValues,
): FieldProblem[] {
  const subject = row.capability === null ? 'The API' : display_name;
  return byKind(checks, row, { subject, name, parameters, capabilities });
}

interface ParameterCheck {
  /** Who refuses it: the model, or the API for all models. */
  subject: string;
  name: string;
  parameters: ParameterValues;
  capabilities: Capabilities;
}

const checks: ByKind<[ParameterCheck], FieldProblem[]> = {
  integer: (row, { subject, name, parameters, capabilities }) =>
    outside(subject, name, parameters, rangeOf(row, capabilities), row.unit ?? ''),
  fraction: (row, { subject, name, parameters, capabilities }) => {
    const value = parameters[name];
    const range = rangeOf(row, capabilities);
    if (value === undefined) return [];
    if (range === null) return notTaken(subject, name);
    const { min, max } = range;
    if (typeof value === 'number' && value >= min && value <= max) return [];
    return [{ param: name, message: `${subject} takes a number from ${min} to ${max}.` }];
  },
  choice: (row, { subject, name, parameters, capabilities }) =>
    notOffered(subject, name, parameters, choicesOf(row, capabilities)),
  // The mode decides whether real people may be shown.
  flag: (row, { subject, name, parameters, capabilities }) =>
    row.apart || parameters[name] !== true || hasFlag(row, capabilities)
      ? []
      : [{ param: name, message: `${subject} ${row.without ?? ''}. Choose no.` }],
  text: (row, { subject, name, parameters, capabilities }) => {
    const length = Array.from(String(parameters[name] ?? '')).length;
    const max = maxLengthOf(row, capabilities);
    if (length <= (max ?? 0)) return [];
    if (max === null) return notTaken(subject, name);
    const message = `${subject} takes up to ${max.toLocaleString('en-US')} characters.`;
    return [{ param: name, message }];
  },
};

const notTaken = (subject: string, param: string): FieldProblem[] => [
  { param, message: `${subject} does not support it. Leave it empty.` },
];

function promptProblems(
  { display_name, capabilities }: ModelEntry,
  prompt: string,
): FieldProblem[] {
  const length = Array.from(prompt).length;
  const max = capabilities.max_prompt_length.toLocaleString('en-US');
  const problem = (message: string) => [{ param: 'prompt', message }];
  if (length === 0) return problem(`Must be text of 1 to ${max} characters.`);
  if (/[\p{Surrogate}\0]/u.test(prompt)) {
    return problem('Contains a broken character, such as half an emoji. Remove it and try again.');
  }
  if (length <= capabilities.max_prompt_length) return [];
  const long = length.toLocaleString('en-US');
  return problem(`${display_name} takes prompts of up to ${max} characters; you sent ${long}.`);
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
  parameters: ParameterValues,
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
  parameters: ParameterValues,
  offered: readonly string[],
): FieldProblem[] {
  const value = parameters[param];
  if (value === undefined || offered.some((each) => each === value)) return [];
  return [{ param, message: `${model} offers ${offered.join(', ')}.` }];
}

function noFlag(param: string, value: unknown): FieldProblem[] {
  return value === undefined || typeof value === 'boolean'
    ? []
    : [{ param, message: 'Must be yes or no.' }];
}
