import type { INodeProperties } from 'n8n-workflow';
import type { Parameter, ParameterTable } from '../generated/contract';
import { fieldOf, labels } from './labels';

/** These fields' choices come from the API and depend on the chosen model. */
const followsModel = ['resource', 'model.value'];

/** Parameters that determine the price, by their API names. */
const priced = ['duration_seconds', 'generate_audio', 'n', 'resolution'];

/**
 * The fields of a table's parameters, except those handled separately. @param which `priced`: those needed by an
 * estimate.
 */
export function parameterFields(table: ParameterTable, which: 'all' | 'priced'): INodeProperties[] {
  return Object.entries(table)
    .filter(([name, { apart }]) => !apart && (which === 'all' || priced.includes(name)))
    .map(([name, row]) => parameterField(name, row));
}

function parameterField(wire: string, row: Parameter): INodeProperties {
  const name = fieldOf(wire);
  const displayName = labels[name];
  if (row.kind === 'flag') {
    return { displayName, name, type: 'boolean', default: false, description: row.hint };
  }
  if (row.kind === 'choice') return choiceField(name, displayName, row);
  const { range } = row;
  const bounds = range ? { minValue: range.min, maxValue: range.max } : { minValue: 1 };
  const usual = row.default ?? range?.min ?? 1;
  return {
    displayName,
    name,
    type: 'number',
    typeOptions: { ...bounds, numberPrecision: 0 },
    default: usual,
    description: row.hint,
  };
}

function choiceField(
  name: string,
  displayName: string,
  { capability, values, hint, default: usual }: Extract<Parameter, { kind: 'choice' }>,
): INodeProperties {
  if (capability === null) {
    const options = values.map((value) => ({ name: value, value }));
    return { displayName, name, type: 'options', options, default: usual, description: hint };
  }
  const description = `${hint} Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`;
  const list = capability.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    displayName: `${displayName} Name or ID`,
    name,
    type: 'options',
    typeOptions: { loadOptionsMethod: `get${list}`, loadOptionsDependsOn: followsModel },
    default: '',
    description,
  };
}

/** Settings of a create or an estimate, in the editor's alphabetical order. */
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
    description: "What is left out takes the model's usual value",
    displayOptions: { show: { resource: [resource], operation: [operation] } },
    options: [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
  };
}
