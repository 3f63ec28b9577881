import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSecretFile, replaceFile, requireWritable } from '../../adapters/system/files.ts';
import { noLog, type Terminal } from '../../application/ports/system.ts';
import type { Config } from '../../config.ts';
import { CommandError } from '../../domain/installation/commandError.ts';
import {
  type Addition,
  additionsOf,
  type Connection,
  type ConnectOptions,
  providersIn,
  type WantedConnection,
  withConnection,
  withModels,
} from '../../domain/providers/connection.ts';
import { readJsonFile } from '../../settings/jsonFile.ts';
import { parseModelsFile } from '../../settings/modelsFile.ts';
import { hasRoutes } from '../../settings/routesFile.ts';
import { checkRoutes, placeTestOrderAt, type RouteParts, withRoutes } from '../routeTools.ts';
import { askForYes, completeConnection } from './completeConnection.ts';
import { describeAddition, marginLines } from './describeConnection.ts';
import { previewConnection } from './previewConnection.ts';

/** The parts of `routes connect`. */
export interface ConnectParts extends RouteParts {
  /** Null for a script. */
  terminal: Terminal | null;
  /** The first line of standard input. */
  readLine: () => Promise<string>;
}

/** Seconds for a test order. */
const testOrderSeconds = 900;

/**
 * Connects a provider: checks its entry and its routes as `routes check` does, writes ROUTES_FILE, the key's file and
 * new models in MODELS_FILE, and may place one order. Missing answers are asked for at the terminal.
 * @throws CommandError if anything prevents it; nothing is written then.
 */
export async function connectRoute(
  parts: ConnectParts,
  target: WantedConnection,
  options: ConnectOptions,
) {
  const { config, terminal, report } = parts;
  const path = routesPath(config);
  await requireWritable('ROUTES_FILE', path);
  if (hasRoutes(config.routes?.content)) {
    await withRoutes({ config, log: noLog }, async () => undefined);
  }
  const models = config.catalogue.catalogue.models;
  const providers = providersIn(config.routes?.content);
  const { connection, needsKey, newModels } = await completeConnection(terminal, target, {
    models,
    taken: providers,
    modelsFile: modelsPath(config),
  });
  if (newModels.length > 0) await requireWritable('MODELS_FILE', modelsPath(config) ?? '');
  const key = needsKey ? await readKey(parts, options) : null;
  const connected = withKey(config, connection, key);
  const seen = await previewConnection(connected, connection, newModels);
  const next = withNewModels(connected, seen.rows);
  const checked = await checkRoutes({ ...parts, config: next });
  const additions = [
    ...additionsOf(config.routes?.content, connection),
    ...Object.entries(seen.rows).map(([id, value]): Addition => ({
      file: 'MODELS_FILE',
      path: ['models', id],
      value,
    })),
  ];
  for (const each of additions) report(describeAddition(each));
  for (const line of marginLines(seen.costliest, config.creditValue)) report(line);
  const isWritten =
    !options.isDryRun && (terminal === null || (await askForYes(terminal, 'Write these changes?')));
  if (isWritten) await write(next, connection, key, seen.rows);
  const [first] = connection.routes;
  const shouldTest = isWritten && (options.mayOrder || (await offerOrder(terminal)));
  if (isWritten) report(`Wrote ${path}. To apply it, run "npm run admin -- routes reload".`);
  const order = { provider: connection.name, model: upstreamOf(first?.route) };
  const testOrder = shouldTest
    ? await placeTestOrderAt({ ...parts, config: next }, order, testOrderSeconds)
    : null;
  return {
    provider: connection.name,
    written: isWritten,
    ...(isWritten && {
      routes_file: path,
      ...(key !== null && { key_file: keyPath(path, connection) }),
    }),
    added: additions.map(({ file, path: at }) => ({ file, at })),
    models: checked.models.filter(({ model }) => connection.routes.some(({ id }) => id === model)),
    ...(testOrder && { tried: testOrder }),
  };
}

const upstreamOf = (route: object | undefined) =>
  (route as { model?: string } | undefined)?.model ?? '';

function routesPath({ routes }: Config): string {
  if (routes) return routes.path;
  throw new CommandError(
    'ROUTES_FILE is not set: set it to a path such as routes.json. The file does not have to exist yet.',
  );
}

function modelsPath({ catalogue: { file } }: Config): string | null {
  return file?.setting === 'MODELS_FILE' ? file.path : null;
}

async function readKey(
  { terminal, readLine }: Pick<ConnectParts, 'terminal' | 'readLine'>,
  { readsKeyFromInput, isDryRun }: ConnectOptions,
): Promise<string> {
  // A dry run writes no key, and calls no provider.
  if (isDryRun && !readsKeyFromInput) return 'key';
  const input = readsKeyFromInput
    ? await readLine()
    : await terminal?.askSecret('API key (hidden): ');
  const key = input?.trim();
  if (key === undefined) {
    throw new CommandError('The key is missing: pass it on standard input with --key-stdin.');
  }
  if (key === '') throw new CommandError('The key is empty. Nothing was written.');
  if (/\s/.test(key)) throw new CommandError('The key contains a space. Nothing was written.');
  return key;
}

/** The settings with the connection; none of the files is written. */
function withKey(config: Config, connection: Connection, key: string | null): Config {
  const { routes } = config;
  if (!routes) return config;
  const keyFiles = {
    ...routes.keyFiles,
    ...(key !== null && { [connection.name]: { text: key } }),
  };
  return {
    ...config,
    // Nothing is written yet, so the lines of the file would mislead.
    routes: {
      ...routes,
      keyFiles,
      content: withConnection(routes.content, connection),
      lines: new Map(),
    },
  };
}

/** The settings with further models. @throws FileProblemsError */
function withNewModels(config: Config, rows: Readonly<Record<string, object>>): Config {
  const path = modelsPath(config);
  if (path === null || Object.keys(rows).length === 0) return config;
  const { catalogue } = parseModelsFile(withModels(readJsonFile(path).content, rows));
  return { ...config, catalogue: { ...config.catalogue, catalogue } };
}

/** Writes the key first and the routes last: no file names one that is missing. */
async function write(
  config: Config,
  connection: Connection,
  key: string | null,
  rows: Readonly<Record<string, object>>,
): Promise<void> {
  const path = routesPath(config);
  if (key !== null) await createSecretFile(keyPath(path, connection), `${key}\n`);
  const models = modelsPath(config);
  if (models !== null && Object.keys(rows).length > 0) {
    await replaceFile(models, asJson(withModels(readJsonFile(models).content, rows)));
  }
  await replaceFile(path, asJson(withConnection(contentOf(path), connection)));
}

const keyPath = (path: string, { entry }: Connection) =>
  join(dirname(path), (entry as { apiKeyFile?: string }).apiKeyFile ?? '');

const asJson = (content: object) => `${JSON.stringify(content, null, 2)}\n`;

/** The file as written: the settings have workflows in place of their paths. */
const contentOf = (path: string): unknown => (existsSync(path) ? readJsonFile(path).content : {});

async function offerOrder(terminal: Terminal | null): Promise<boolean> {
  return (
    terminal !== null &&
    askForYes(terminal, 'Order one small file now? The provider will charge for it.')
  );
}
