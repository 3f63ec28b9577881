import { CommandError } from '../installation/commandError.ts';
import { fileParts } from '../installation/jsonObject.ts';

/** A provider to be connected, as far as the operator has described it. */
export interface WantedConnection {
  /** A shipped description; null if `file` is given. */
  like: string | null;
  /** Path of a JSON file with the provider's entry in ROUTES_FILE. */
  file: string | null;
  name: string | null;
  baseURL: string | null;
  mediaHosts: readonly string[];
  models: readonly ConnectedModel[];
  /** Fields of the routes, such as `does` and `send`. */
  route: object;
  /** Cost of each second or image, such as `0.05 USD`. */
  cost: string | null;
  /** Credits for each second or image of models that the catalogue lacks. */
  price: number | null;
}

/** Options of `routes connect`. */
export interface ConnectOptions {
  /** Reads the key from standard input. */
  readsKeyFromInput: boolean;
  /** Writes nothing. */
  isDryRun: boolean;
  /** Whether one order may be placed, which the provider charges. */
  mayOrder: boolean;
}

/** A model to be made by the provider. */
export interface ConnectedModel {
  /** The model's id for customers. */
  id: string;
  /** The provider's own model id. */
  providerModel: string;
}

/** A provider's entry and its routes, ready to be added to ROUTES_FILE. */
export interface Connection {
  name: string;
  entry: object;
  /** Routes by Framegate's model id. */
  routes: readonly { id: string; route: object }[];
}

/** An addition to one of the operator's files. */
export interface Addition {
  file: 'ROUTES_FILE' | 'MODELS_FILE';
  path: readonly (string | number)[];
  value: object;
}

const validName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** @param takenNames The names of the file's providers. @throws CommandError if a provider cannot have this name. */
export function requireFreeName(name: string, takenNames: readonly string[]): void {
  if (!validName.test(name)) {
    throw new CommandError(
      `"${name}" is not a valid provider name: use at most 64 letters, digits, dots, hyphens and underscores.`,
    );
  }
  if (takenNames.includes(name)) {
    throw new CommandError(
      `ROUTES_FILE already has a provider "${name}": choose another name with --name.`,
    );
  }
}

/** The additions of a connection to ROUTES_FILE; new routes are the last of their models. */
export function additionsOf(content: unknown, { name, entry, routes }: Connection): Addition[] {
  const { models } = fileParts(content);
  const counts = new Map<string, number>();
  const ofRoutes = routes.map(({ id, route }): Addition => {
    const before = counts.get(id) ?? [models[id] ?? []].flat().length;
    counts.set(id, before + 1);
    return { file: 'ROUTES_FILE', path: ['models', id, before], value: route };
  });
  return [{ file: 'ROUTES_FILE', path: ['providers', name], value: entry }, ...ofRoutes];
}

/** The content of ROUTES_FILE with a further provider; everything else stays. */
export function withConnection(content: unknown, { name, entry, routes }: Connection): object {
  const { whole, providers, models } = fileParts(content);
  const allModels = { ...models };
  for (const { id, route } of routes) allModels[id] = [...[allModels[id] ?? []].flat(), route];
  return { ...whole, providers: { ...providers, [name]: entry }, models: allModels };
}

/** The content of MODELS_FILE with further models. */
export function withModels(content: unknown, rows: Readonly<Record<string, object>>): object {
  const { whole, models } = fileParts(content);
  return { ...whole, models: { ...models, ...rows } };
}

/** The names of the providers in ROUTES_FILE. */
export const providersIn = (content: unknown): string[] =>
  Object.keys(fileParts(content).providers);
