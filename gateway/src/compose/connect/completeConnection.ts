import { basename } from 'node:path';
import { didYouMean, messageOf, type Model } from '@framegate/contract';
import { apiNeeds, type Money, shippedNames } from '@framegate/provider-routes';
import type { Terminal } from '../../application/ports/system.ts';
import { CommandError } from '../../domain/installation/commandError.ts';
import { jsonObject } from '../../domain/installation/jsonObject.ts';
import {
  type ConnectedModel,
  type Connection,
  requireFreeName,
  type WantedConnection,
} from '../../domain/providers/connection.ts';
import { parseMoney } from '../../domain/providers/cost.ts';
import { readJsonFile } from '../../settings/jsonFile.ts';
import type { NewModel } from './previewConnection.ts';

/** The settings that a new connection must fit. */
interface ConnectionContext {
  /** The models of the catalogue. */
  models: readonly Model[];
  /** The names of the providers in ROUTES_FILE. */
  taken: readonly string[];
  /** Path of MODELS_FILE; null if it is not set. */
  modelsFile: string | null;
}

type QuestionAsker = (question: string) => Promise<string>;

/**
 * Completes a connection; missing answers are asked for at the terminal.
 * @throws CommandError if something is missing or wrong.
 */
export async function completeConnection(
  terminal: Terminal | null,
  connection: WantedConnection,
  { models: catalogue, taken: takenNames, modelsFile }: ConnectionContext,
): Promise<{ connection: Connection; needsKey: boolean; newModels: NewModel[] }> {
  const ask: QuestionAsker = terminal ? (question) => terminal.ask(question) : async () => '';
  const names = shippedNames();
  const source =
    connection.like ??
    connection.file ??
    (await ask(`API (${names.join(', ')}), or the path to your own entry: `));
  if (source === '') throw new CommandError('The API is missing: add --like or --provider.');
  const isFile = connection.file !== null || (connection.like === null && source.includes('.json'));
  if (!isFile && !names.includes(source)) {
    const hint = didYouMean(source, names) || `. Available: ${names.join(', ')}`;
    throw new CommandError(`"${source}" is not one of the included APIs${hint}.`);
  }
  const stated = isFile ? readEntry(source) : { kind: 'http', like: source };
  const usual = isFile ? basename(source, '.json') : source;
  const name = connection.name ?? ((await ask(`Provider name [${usual}]: `)) || usual);
  requireFreeName(name, takenNames);
  const entry = await completeEntry(ask, name, stated, connection);
  const api = apiNeeds(entry, ['providers', name]);
  const isHttp = entry.kind === 'http';
  const needsKey = isHttp ? api.needsKey : !['comfyui', 'preview-renderer'].includes(entry.kind);
  const models = await completeModels(ask, connection.models, catalogue);
  const type = isHttp && !api.makesVideos ? 'image' : 'video';
  const newModels: NewModel[] = [];
  for (const { id } of models) {
    if (catalogue.some((each) => each.id === id) || newModels.some((each) => each.id === id)) {
      continue;
    }
    newModels.push({
      id,
      type,
      price: await loadPrice(ask, id, connection.price, { known: catalogue, modelsFile }),
    });
  }
  const isStated = 'cost' in connection.route;
  const cost = costIn(
    connection.cost ??
      (isStated ? '' : await ask('Cost per second or image, such as 0.05 USD [unknown]: ')),
  );
  const typeOf = (id: string) => catalogue.find((each) => each.id === id)?.type ?? type;
  const lacksRow = models.some(
    ({ id, providerModel }) => !api.describes(typeOf(id), providerModel),
  );
  const isUnknown = isHttp && lacksRow && !('does' in connection.route);
  const fields =
    terminal && isUnknown
      ? { ...(await askAbilities(ask, api.needsFieldNames)), ...connection.route }
      : connection.route;
  const routes = models.map(({ id, providerModel }) => {
    const part = typeOf(id) === 'image' ? 'perImage' : 'perSecond';
    const price = cost && { cost: { currency: cost.currency, [part]: cost.micros / 1e6 } };
    return { id, route: { provider: name, model: providerModel, ...price, ...fields } };
  });
  const keyed = { ...entry, ...(needsKey && { apiKeyFile: `${name}.key` }) };
  return { connection: { name, entry: keyed, routes }, needsKey, newModels };
}

type ProviderEntry = Parameters<typeof apiNeeds>[0] & { kind: string };

const keyFields = ['apiKeyEnv', 'apiKeyEnvs', 'apiKeyFile'];

/** An entry of ROUTES_FILE without its key. @throws CommandError */
function readEntry(path: string): ProviderEntry {
  try {
    const { content, repeated } = readJsonFile(path);
    if (repeated.length > 0) throw new Error(repeated.join(' '));
    const fields = Object.entries(jsonObject(content)).filter(
      ([name]) => !keyFields.includes(name),
    );
    const entry = Object.fromEntries(fields);
    if (typeof entry['kind'] === 'string') return entry as unknown as ProviderEntry;
    throw new Error(
      'it has no "kind": the file must contain one entry of "providers", such as {"kind":"http","api":{…}}',
    );
  } catch (error) {
    throw new CommandError(`--provider is "${path}": ${messageOf(error)}.`);
  }
}

/** The entry with its base URL and the hosts of its files. @throws CommandError */
async function completeEntry(
  ask: QuestionAsker,
  name: string,
  stated: ProviderEntry,
  { baseURL, mediaHosts }: Pick<WantedConnection, 'baseURL' | 'mediaHosts'>,
): Promise<ProviderEntry> {
  let entry: ProviderEntry = {
    ...stated,
    ...(baseURL !== null && { baseURL }),
    ...(mediaHosts.length > 0 && { mediaHosts }),
  };
  if (entry.kind !== 'http') return entry;
  const { problems, ...api } = apiNeeds(entry, ['providers', name]);
  if (problems.length > 0) {
    throw new CommandError(['Problems in the entry:', ...problems].join('\n  - '));
  }
  if (api.needsBaseUrl) {
    const typed = await ask('API base URL, such as https://api.example/v1: ');
    if (typed === '') throw new CommandError('The API base URL is missing: add --base-url.');
    entry = { ...entry, baseURL: typed };
  }
  if (api.needsMediaHosts) {
    const hosts = listIn(await ask('Hosts that serve its finished files, separated by commas: '));
    if (hosts.length === 0) {
      throw new CommandError('The hosts that serve finished files are missing: add --media-host.');
    }
    entry = { ...entry, mediaHosts: hosts };
  }
  return entry;
}

async function completeModels(
  ask: QuestionAsker,
  chosen: readonly ConnectedModel[],
  catalogue: readonly Model[],
): Promise<readonly ConnectedModel[]> {
  if (chosen.length > 0) return chosen;
  const id = await ask(`Model for customers (${catalogue.map((each) => each.id).join(', ')}): `);
  const providerModel = id && (await ask(`The provider's model ID for ${id}: `));
  if (providerModel) return [{ id, providerModel }];
  throw new CommandError('The model is missing: add --model, such as alpha-2.5=video-1.');
}

async function loadPrice(
  ask: QuestionAsker,
  id: string,
  typedPrice: number | null,
  { known: catalogue, modelsFile }: { known: readonly Model[]; modelsFile: string | null },
): Promise<number> {
  const names = catalogue.map((each) => each.id);
  const hint = didYouMean(id, names);
  if (modelsFile === null) {
    throw new CommandError(
      `The catalogue has no model ${id}${hint}: to add it, set MODELS_FILE to a file that contains at least {}.`,
    );
  }
  const price =
    typedPrice ?? Number(await ask(`Credits per second or image for the new model ${id}: `));
  if (Number.isSafeInteger(price) && price > 0) return price;
  throw new CommandError(`The catalogue has no model ${id}${hint}: to create it, add --price.`);
}

/** @throws CommandError */
function costIn(text: string): Money | null {
  if (text === '') return null;
  try {
    return parseMoney(text);
  } catch {
    throw new CommandError(
      `The cost must be an amount and a currency, such as 0.05 USD, but is "${text}".`,
    );
  }
}

const listIn = (text: string) => text.split(/[\s,]+/).filter((each) => each !== '');

/** Names of fields that many APIs use. */
const usualFields = ['duration', 'resolution', 'aspect_ratio', 'image'];

/** Asks for the abilities of a model without a row and, if wanted, for the names of its fields. */
async function askAbilities(ask: QuestionAsker, asksFieldNames: boolean): Promise<object> {
  const named = listIn(await ask('Modes [text-to-video]: '));
  const modes = named.length > 0 ? named : ['text-to-video'];
  const seconds = await ask('Seconds, such as 5,10 or 4-12: ');
  const resolutions = listIn(await ask('Resolutions, such as 720p,1080p: '));
  const aspectRatios = listIn(await ask('Aspect ratios, such as 16:9,9:16: '));
  const [min, max] = seconds.split('-').map(Number);
  const range = seconds.includes('-') ? { min, max } : listIn(seconds).map(Number);
  const does = { modes, seconds: range, resolutions, aspectRatios };
  if (!asksFieldNames) return { does };
  const usual = usualFields.join(', ');
  const names = listIn(
    await ask(`Fields for length, resolution, aspect ratio and first frame [${usual}]: `),
  );
  const [duration, resolution, ratio, firstFrame] = names.length > 0 ? names : usualFields;
  const isFramed = modes.includes('image-to-video') && firstFrame !== undefined;
  const send = { duration, resolution, ratio, ...(isFramed && { firstFrame }) };
  return { does, send };
}

/** Whether the operator agrees. */
export async function askForYes(terminal: Terminal, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await terminal.ask(`${question} [y/N] `));
}
