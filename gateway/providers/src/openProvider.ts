import { randomUUID } from 'node:crypto';
import type {
  Experimental_VideoModelV4 as VideoModel,
  ImageModelV4 as ImageModel,
} from '@ai-sdk/provider';
import { allExtras, jsonPath } from '@framegate/contract';
import { dialectOf } from './aiSdk/dialects.ts';
import { loadAiSdk, type ModelMaker, modelsOf } from './aiSdk/loadAiSdk.ts';
import type { DescribedProvider, Provider, RoutesFile } from './configuredRoutes.ts';
import type { Dialect } from './dialect.ts';
import { createPresent, fetchWithKey } from './http/auth.ts';
import { servesOwnFiles } from './http/description.ts';
import { httpDialect } from './http/httpDialect.ts';
import { createHttpModels } from './http/httpModels.ts';
import { arkDialect, createModelArk } from './modelArk/modelArk.ts';
import type { Network } from './network.ts';
import type { Api } from './ownRequests.ts';
import { shortMessageOf } from './providerFailures.ts';
import { createProviderFetch } from './providerFetch.ts';
import { createProviderHttp, type ProviderHttp } from './providerHttp.ts';
import { parseRoutesFile, RoutesFileError } from './routesFile.ts';
import { noSupport } from './routeSupport.ts';
import { standardSend } from './sendRules.ts';

/** The models of the preview renderer, which the caller opens and closes. */
export interface PreviewModels {
  videoModel(modelId: string): VideoModel;
  imageModel(modelId: string): ImageModel;
}

/** Access to a provider with one of its keys. */
export interface Access {
  /** The key's name; null for a local renderer. */
  keyName: string | null;
  /** Null for a local renderer. */
  api: Api | null;
  /** Null if models are the operator's workflows. */
  maker: ModelMaker | null;
}

/** An opened provider, with an access per key. */
export interface OpenProvider {
  provider: Provider;
  accesses: readonly Access[];
  dialect: Dialect;
  http: ProviderHttp | null;
}

/** Opens a provider. @throws Error for the operator if it is unusable. */
export async function openProvider(
  provider: Provider,
  {
    preview,
    network,
    providersDir = null,
    now = Date.now,
    newId = randomUUID,
  }: {
    preview: PreviewModels | null;
    network: Network;
    providersDir?: string | null;
    /** The time in ms, for keys that sign. */
    now?: () => number;
    /** Makes ids (UUID) for headers that differ in every request. */
    newId?: () => string;
  },
): Promise<OpenProvider> {
  if (provider.kind === 'preview-renderer') {
    if (!preview) throw new Error('the preview renderer is not there');
    const maker = modelsOf(preview, 'the preview renderer');
    const accesses = [{ keyName: null, api: null, maker }];
    return { provider, accesses, dialect: ownDialects[provider.kind], http: null };
  }
  const dialect = dialectFor(provider);
  const http = createProviderHttp(provider, network, dialect.apiHosts);
  try {
    const accesses: Access[] = [];
    const keys = provider.keys.length > 0 ? provider.keys : [{ name: null, secret: '' }];
    const baseURL = 'baseURL' in provider ? provider.baseURL : '';
    for (const { name: keyName, secret: apiKey } of keys) {
      const api = { baseURL, apiKey, fetch: createProviderFetch(http, apiKey, dialect) };
      accesses.push({
        keyName,
        ...(provider.kind === 'http'
          ? openDescribed(provider, api, { now, newId })
          : { api, maker: await openMaker(provider, api, providersDir) }),
      });
    }
    return { provider, accesses, dialect, http };
  } catch (error) {
    await http.close();
    throw error;
  }
}

function dialectFor(provider: Exclude<Provider, { kind: 'preview-renderer' }>): Dialect {
  switch (provider.kind) {
    case 'ai-sdk':
      return dialectOf(provider);
    case 'http':
      return httpDialect(provider.description);
    default:
      return ownDialects[provider.kind];
  }
}

/** A described API with one of its keys: all its requests present the key. */
function openDescribed(
  { description }: DescribedProvider,
  plain: Api,
  { now, newId }: { now: () => number; newId: () => string },
): Pick<Access, 'api' | 'maker'> {
  const present = createPresent(description.auth, plain, now);
  const api: Api = {
    ...plain,
    // A private key is in no request, and its text is too long to be looked for.
    ...(description.auth.type === 'google-service-account' && { apiKey: '' }),
    fetch: fetchWithKey(plain.fetch, description, present, newId),
    ...(servesOwnFiles(description) && { presentForFile: present }),
  };
  return { api, maker: createHttpModels(api, description) };
}

async function openMaker(
  provider: Exclude<Provider, { kind: 'preview-renderer' | 'http' }>,
  api: Api,
  providersDir: string | null,
): Promise<ModelMaker | null> {
  if (provider.kind === 'comfyui') return null;
  if (provider.kind === 'ai-sdk') return loadAiSdk(provider, api, providersDir);
  return modelsOf(createModelArk(api), provider.kind);
}

/** The renderer draws everything in the catalogue. */
const drawn = {
  match: ['*'],
  does: {
    ...Object.fromEntries(Object.keys(noSupport).map((name) => [name, null])),
    lastFrame: true,
    audio: true,
    realPerson: true,
    references: { image: 100, video: 100, audio: 100 },
    combinations: [],
    requires: [],
  },
  source: 'gateway/preview',
  readOn: '2026-11-22',
};

/** Fractions and texts, which a preview does not show. */
const ignored = Object.fromEntries(allExtras.map(({ support: { name } }) => [name, name]));

/** The preview renderer: supports everything, takes pictures as bytes, and returns the ordered format. */
export const previewDialect: Dialect = {
  name: 'preview',
  isLocal: true,
  takesBytesOnly: true,
  defaultRules: [
    { match: /^input_invalid\b/, code: 'input_invalid' },
    // A render that was stopped or got no turn in time is repeated by the next process.
    { match: /the renderer was closed|due to timeout/, code: 'busy' },
  ],
  models: {
    rows: [
      { ...drawn, type: 'video', send: { ...standardSend.video, ...ignored } },
      {
        ...drawn,
        type: 'image',
        send: { ...standardSend.image, ...ignored, format: 'outputFormat' },
      },
    ],
    send: {},
  },
};

/** ComfyUI's workflows are the operator's, so each route states its workflow's capabilities; its server is its API. */
const comfyDialect: Dialect = {
  name: 'comfyui',
  apiHosts: [],
  takesBytesOnly: true,
  defaultRules: [],
  models: { rows: [], send: {} },
};

const ownDialects = {
  'preview-renderer': previewDialect,
  'model-ark': arkDialect,
  comfyui: comfyDialect,
};

/**
 * Like `parseRoutesFile`, but also opens the packages of an invalid file, so that the operator learns all
 * problems at once.
 * @param options.providersDir Folder of the operator's packages; null: next to the gateway.
 * @throws RoutesFileError with every problem of the form, and every provider that cannot be opened.
 */
export async function checkRoutesFile(
  parameters: Parameters<typeof parseRoutesFile>,
  { providersDir, network }: { providersDir: string | null; network: Network },
): Promise<RoutesFile> {
  try {
    return parseRoutesFile(...parameters);
  } catch (error) {
    if (!(error instanceof RoutesFileError)) throw error;
    const problems = [...error.problems];
    for (const provider of error.sound) {
      if (provider.kind === 'preview-renderer') continue;
      try {
        const { http } = await openProvider(provider, { preview: null, providersDir, network });
        await http?.close();
      } catch (reason) {
        problems.push(openingProblem(provider.name, reason));
      }
    }
    throw new RoutesFileError(problems);
  }
}

/** The problem of a provider that cannot be opened, with its path in the file. */
export function openingProblem(provider: string, reason: unknown): string {
  return `${jsonPath(['providers', provider])}: ${shortMessageOf(reason)}.`;
}
