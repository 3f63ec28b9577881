import {
  imageParameters,
  videoParameters,
  type Parameter,
  type ParameterTable,
} from './generated/contract.ts';

/** Parameters by name. */
type Named = readonly (readonly [string, Parameter])[];

const difference = (table: ParameterTable, other: ParameterTable): Named =>
  Object.entries(table).filter(([name]) => !Object.hasOwn(other, name));

/** Parameters of videos and images. */
export const commonParameters: Named = Object.entries(videoParameters).filter(([name]) =>
  Object.hasOwn(imageParameters, name),
);

/** Parameters only of videos. */
export const videoParametersOnly = difference(videoParameters, imageParameters);

/** Parameters only of images. */
export const imageParametersOnly = difference(imageParameters, videoParameters);

/** The values of these parameters by name; null for one missing in an old record. */
export function valuesOf(parameters: Named, values: object): Record<string, unknown> {
  const known = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(parameters.map(([name]) => [name, known[name] ?? null]));
}

/** The default values of these parameters by name. */
export function defaultsOf(parameters: Named): Record<string, unknown> {
  return Object.fromEntries(parameters.map(([name, row]) => [name, row.default]));
}
