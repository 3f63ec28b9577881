import type { INodeProperties } from 'n8n-workflow';
import {
  type ByKind,
  byKind,
  type Parameter,
  type ParameterTable,
  type RowOf,
} from '../generated/contract';
import { type FieldName, fieldOf, labels } from './labels';

/** These fields' choices come from the API and depend on the chosen model. */
const followsModel = ['resource', 'model.value'];

/** Parameters that determine the price, by their API names. */
const priced = ['duration_seconds', 'generate_audio', 'n', 'resolution'];

/**
 * The fields of a table's parameters, except those handled separately.
 * @param which `priced`: for an estimate.
 */
export function parameterFields(table: ParameterTable, which: 'all' | 'priced'): INodeProperties[] {
  return Object.entries(table)
    .filter(([name, { apart }]) => !apart && (which === 'all' || priced.includes(name)))
    .map(([name, row]) => parameterField(name, row));
}

function parameterField(wire: string, row: Parameter): INodeProperties {
  const name = fieldOf(wire);
  return { displayName: labels[name], name, description: row.hint, ...byKind(ownParts, row, name) };
}

type OwnParts = Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>;

const ownParts: ByKind<[name: FieldName], OwnParts> = {
  integer: ({ range, capability, default: usual }) => ({
    type: 'number',
    typeOptions: {
      minValue: range.min,
      // The bounds of models widen.
      ...(capability === null && { maxValue: range.max }),
      numberPrecision: 0,
    },
    default: usual ?? range.min,
  }),
  fraction: ({ range: { min, max, step }, default: usual }) => ({
    type: 'number',
    typeOptions: {
      minValue: min,
      maxValue: max,
      numberStepSize: step,
      numberPrecision: (String(step).split('.')[1] ?? '').length,
    },
    default: usual ?? min,
  }),
  choice: choiceParts,
  flag: () => ({ type: 'boolean', default: false }),
  text: ({ hasLines }) => ({
    type: 'string',
    default: '',
    ...(hasLines && { typeOptions: { rows: 2 } }),
  }),
};

function choiceParts(
  { capability, values, hint, default: usual }: RowOf<'choice'>,
  name: FieldName,
): OwnParts {
  if (capability === null) {
    const options = values.map((value) => ({ name: value, value }));
    return { type: 'options', options, default: usual };
  }
  const description = `${hint} Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`;
  const list = capability.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    displayName: `${labels[name]} Name or ID`,
    type: 'options',
    typeOptions: { loadOptionsMethod: `get${list}`, loadOptionsDependsOn: followsModel },
    default: '',
    description,
  };
}

/** Settings of a create request or an estimate, in the editor's alphabetical order. */
export function parametersField(
  resource: 'video' | 'image',
  operation: 'create' | 'estimatePrice',
  fields: readonly INodeProperties[],
): INodeProperties {
  return {
    displayName: 'Parameters',
    name: 'parameters',
    type: 'collection',
    placeholder: 'Add parameter',
    default: {},
    description: "Omitted parameters use the model's defaults",
    displayOptions: { show: { resource: [resource], operation: [operation] } },
    options: [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
  };
}
