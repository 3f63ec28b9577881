/*
 * The checks that Zapier makes before publication and that its CLI does not make offline, by their numbers
 * (docs.zapier.com, integration checks reference). A lint of our own: it reads the app's definition, and returns the
 * reasons for which Zapier would reject it.
 */

export interface Field {
  key: string;
  label?: string;
  type?: string;
  helpText?: string;
  required?: boolean;
  default?: unknown;
  list?: boolean;
  dynamic?: string;
  choices?: unknown;
  children?: Field[];
  primary?: boolean;
}

type FieldFunction = (...parameters: never[]) => unknown;

interface Action {
  key: string;
  noun: string;
  display: { label: string; description: string; hidden?: boolean };
  operation: {
    inputFields?: (Field | FieldFunction)[];
    outputFields?: Field[];
    sample?: Record<string, unknown>;
  };
}

/** The part of an app's definition that the checks read. */
export interface Definition {
  authentication: { type: string; fields: Field[]; connectionLabel?: unknown; test?: unknown };
  flags?: { cleanInputData?: boolean };
  triggers: Record<string, Action>;
  creates: Record<string, Action>;
  searches: Record<string, Action>;
}

const smallWords = new Set('a an the and or of in to for from by on with per via as at'.split(' '));
const secretKey = /(api[_-]?key|token|secret|password)/i;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const wording = {
  triggers: /^Triggers when .*\.$/,
  creates: /^[A-Z][a-z]+s .*\.$/,
  searches: /^Finds .*\.$/,
} as const;

/** Every problem, each with the check's number and its place; none for a good app. */
export function publishedProblems(app: Definition): string[] {
  const kinds = ['triggers', 'creates', 'searches'] as const;
  return [
    ...authenticationProblems(app),
    ...(app.flags?.cleanInputData === false ? [] : ['D028 flags.cleanInputData must be false']),
    ...(JSON.stringify(app).includes('http://') ? ['D007 an http:// address'] : []),
    ...kinds.flatMap((kind) =>
      Object.entries(app[kind]).flatMap(([key, action]) => [
        ...(key === action.key ? [] : [`${kind}.${key} has the key ${action.key}`]),
        ...actionProblems(kind, action, app).map((problem) => `${kind}.${key}: ${problem}`),
      ]),
    ),
  ];
}

function authenticationProblems({ authentication }: Definition): string[] {
  const { fields, connectionLabel, test } = authentication;
  const problems = fields.flatMap(labelProblems);
  if (test === undefined) problems.push('D003 authentication has no test');
  if (typeof connectionLabel === 'string') {
    if (secretKey.test(connectionLabel)) problems.push('D003 the connection label holds a secret');
    if (!connectionLabel.includes('{{')) problems.push('D003 the connection label is static');
  } else if (connectionLabel === undefined) {
    problems.push('D003 there is no connection label');
  }
  for (const { key, type } of fields) {
    if (secretKey.test(key) && type !== 'password') {
      problems.push(`${key} must be a password field`);
    }
  }
  return problems;
}

function actionProblems(
  kind: keyof typeof wording,
  { noun, display, operation }: Action,
  app: Definition,
): string[] {
  const { label, description } = display;
  const { inputFields = [], outputFields = [], sample } = operation;
  const plain = inputFields.filter((field) => typeof field !== 'function');
  const problems = [
    ...(isTitleCase(label) ? [] : [`D018 label "${label}" is not in title case`]),
    ...(isTitleCase(noun) ? [] : [`D018 noun "${noun}" is not in title case`]),
    ...(wording[kind].test(description) ? [] : [`D021 description "${description}"`]),
    ...(/zapier|framegate/i.test(label + description) ? ['names a platform'] : []),
    ...flat(plain).flatMap((field) => inputProblems(field, app)),
    ...outputProblems(outputFields, sample),
  ];
  if (kind === 'searches') {
    if (!label.startsWith('Find ')) problems.push('a search is called "Find …"');
    if (inputFields.length === 0) problems.push('D009 a search needs an input field');
  }
  if (kind === 'creates' && plain.length === 0) problems.push('D022 no static input field');
  return problems;
}

/** Problems of an input field, also of one that a function made. */
export function inputProblems(field: Field, app: Definition): string[] {
  const { key, type, dynamic, choices, children } = field;
  const problems = labelProblems(field);
  if (secretKey.test(key) && key !== 'request_key') {
    problems.push(`D001 ${key} looks like a secret`);
  }
  if (type === undefined && children === undefined) problems.push(`${key} has no type`);
  if (/framegate/i.test(`${field.label ?? ''}${field.helpText ?? ''}`)) {
    problems.push(`${key} names the product`);
  }
  const isChosen = dynamic !== undefined || choices !== undefined;
  if (/(^|_)id$/.test(key) && !isChosen) problems.push(`D004 ${key} wants a dropdown`);
  const trigger = dynamic?.split('.')[0];
  if (trigger !== undefined && !(trigger in app.triggers)) {
    problems.push(`D005 ${key} takes from ${trigger}, which does not exist`);
  }
  if (field.default !== undefined && typeof field.default !== 'string') {
    problems.push(`${key}: the default must be text`);
  }
  if (type !== 'copy' && children === undefined && field.helpText === undefined) {
    problems.push(`${key} has no help text`);
  }
  return problems;
}

function labelProblems({ key, label, helpText, type, children }: Field): string[] {
  if (type === 'copy') return [];
  const problems: string[] = [];
  if (label === undefined || !isTitleCase(label)) {
    problems.push(`D018 ${key} label "${label ?? ''}"`);
  }
  if (helpText !== undefined) {
    if (helpText === label) problems.push(`D011 ${key}: the help text is the label`);
    if (!/^[A-Z].*[.?]$/s.test(helpText)) problems.push(`${key}: the help text is no sentence`);
    if (helpText.length > 1000) problems.push(`${key}: the help text is too long`);
    // D008: a URL belongs in a Markdown link.
    if (/(?<!\()https?:\/\//.test(helpText)) problems.push(`D008 ${key}: a bare address`);
  } else if (children === undefined) {
    problems.push(`${key} has no help text`);
  }
  return problems;
}

function outputProblems(fields: readonly Field[], sample: Action['operation']['sample']): string[] {
  if (sample === undefined) return ['D012 there is no sample'];
  const problems: string[] = [];
  const keys = new Set(fields.map(({ key }) => key));
  if (keys.size < fields.length) problems.push('D024 two output fields have one key');
  for (const key of Object.keys(sample)) {
    if (!keys.has(key)) problems.push(`D024 sample.${key} is no output field`);
  }
  for (const field of fields) {
    const { key, label, primary, list } = field;
    if (label === undefined || !isTitleCase(label)) problems.push(`D018 output ${key} label`);
    if (!(key in sample)) problems.push(`D024 ${key} is not in the sample`);
    const value = sample[key];
    if (primary === true && typeof value !== 'string') {
      problems.push(`D010 ${key} is the primary key`);
    }
    const values = list === true ? value : [value];
    if (!Array.isArray(values) || !values.every((each) => hasType(each, field))) {
      problems.push(`D024 sample.${key} is not of type ${field.type ?? 'string'}`);
    }
  }
  return problems;
}

function hasType(value: unknown, { type }: Field): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'datetime':
      return typeof value === 'string' && iso.test(value);
    case 'file':
      return typeof value === 'string' && value.startsWith('https://');
    default:
      return typeof value === 'string';
  }
}

/** Fields and the children of line items. */
export function flat(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...flat(field.children ?? [])]);
}

function isTitleCase(text: string): boolean {
  return text
    .split(/[\s-]+/)
    .every((word, index) => (index > 0 && smallWords.has(word)) || /^[A-Z0-9(]/.test(word));
}
