import {
  imageParameters,
  type Parameter,
  type ParameterTable,
  videoParameters,
} from './generated/contract.ts';

/** Parameters by name. */
type NamedParameters = readonly (readonly [string, Parameter])[];

/** Records repeat all parameters but texts. */
const repeatedParameters = (table: ParameterTable): NamedParameters =>
  Object.entries(table).filter(([, { kind }]) => kind !== 'text');

const difference = (table: ParameterTable, other: ParameterTable): NamedParameters =>
  repeatedParameters(table).filter(([name]) => !Object.hasOwn(other, name));

/** Parameters of videos and images. */
export const commonParameters: NamedParameters = repeatedParameters(videoParameters).filter(
  ([name]) => Object.hasOwn(imageParameters, name),
);

/** Parameters only of videos. */
export const videoParametersOnly = difference(videoParameters, imageParameters);

/** Parameters only of images. */
export const imageParametersOnly = difference(imageParameters, videoParameters);

/** The values of these parameters by name; null for one missing in an old record. */
export function valuesOf(parameters: NamedParameters, values: object): Record<string, unknown> {
  const byName = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(parameters.map(([name]) => [name, byName[name] ?? null]));
}

/** The default values of these parameters by name; the smallest one of a fraction without a default. */
export function defaultsOf(parameters: NamedParameters): Record<string, unknown> {
  const valueOf = (row: Parameter) =>
    row.default ?? (row.kind === 'fraction' ? row.range.min : null);
  return Object.fromEntries(parameters.map(([name, row]) => [name, valueOf(row)]));
}
