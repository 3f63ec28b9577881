import type {
  Experimental_VideoModelV4 as VideoModel,
  ImageModelV4 as ImageModel,
} from '@ai-sdk/provider';
import { dialectOf } from './aiSdk/dialects.ts';
import { loadAiSdk } from './aiSdk/loadAiSdk.ts';
import type { Provider } from './configuredRoutes.ts';
import type { Dialect } from './dialect.ts';
import { arkDialect } from './modelArk/arkDialect.ts';
import { createModelArk } from './modelArk/modelArk.ts';
import { previewDialect } from './previewDialect.ts';
import { createProviderFetch } from './providerFetch.ts';
import { createProviderHttp, type ProviderHttp } from './providerHttp.ts';
import type { TwoStepVideoModel } from './videoRoute.ts';

/** Where models come from: the preview renderer, ModelArk or a package. */
interface ModelMaker {
  videoModel(modelId: string): TwoStepVideoModel;
  imageModel(modelId: string): ImageModel;
}

/** What the preview renderer gives; the caller opens and closes it. */
export interface PreviewModels {
  videoModel(modelId: string): VideoModel;
  imageModel(modelId: string): ImageModel;
}

/** A provider as it is reached with one of its keys. */
export interface Access {
  /** The key's name; null for a renderer inside this machine. */
  keyName: string | null;
  apiKey: string;
  maker: ModelMaker;
  /** Null for a renderer inside this machine. */
  fetch: typeof globalThis.fetch | null;
}

/** A provider that is ready to be asked, with each of its keys. */
export interface OpenProvider {
  provider: Provider;
  accesses: readonly Access[];
  dialect: Dialect;
  http: ProviderHttp | null;
}

/** Opens a provider. @throws Error for the operator when it will not do. */
export async function openProvider(
  provider: Provider,
  { preview, providersDir = null }: { preview: PreviewModels | null; providersDir?: string | null },
): Promise<OpenProvider> {
  if (provider.kind === 'preview-renderer') {
    if (!preview) throw new Error('the preview renderer is not there');
    const maker: ModelMaker = {
      videoModel: (id) => twoStep(preview.videoModel(id)),
      imageModel: (id) => preview.imageModel(id),
    };
    const accesses = [{ keyName: null, apiKey: '', maker, fetch: null }];
    return { provider, accesses, dialect: previewDialect, http: null };
  }
  const dialect = provider.kind === 'ai-sdk' ? dialectOf(provider) : arkDialect;
  const http = createProviderHttp(provider, dialect.apiHosts);
  try {
    const accesses: Access[] = [];
    for (const { name: keyName, secret: apiKey } of provider.keys) {
      const fetch = createProviderFetch(http, apiKey, dialect);
      const maker = await openMaker(provider, apiKey, fetch, providersDir);
      accesses.push({ keyName, apiKey, maker, fetch });
    }
    return { provider, accesses, dialect, http };
  } catch (error) {
    await http.close();
    throw error;
  }
}

async function openMaker(
  provider: Exclude<Provider, { kind: 'preview-renderer' }>,
  apiKey: string,
  fetch: typeof globalThis.fetch,
  providersDir: string | null,
): Promise<ModelMaker> {
  if (provider.kind === 'ai-sdk') return loadAiSdk(provider, apiKey, fetch, providersDir);
  return {
    ...createModelArk({ baseURL: provider.baseURL, apiKey, fetch }),
    imageModel: () => {
      throw new Error('kind model-ark makes videos only');
    },
  };
}

/** @throws Error when the model works in one long call, which a restart would lose. */
function twoStep(model: VideoModel): TwoStepVideoModel {
  if (!model.doStart || !model.doStatus) throw new Error('no doStart and doStatus');
  return model as TwoStepVideoModel;
}
