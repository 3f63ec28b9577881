import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ImageModelV4 as ImageModel } from '@ai-sdk/provider';
import { errorCodeOf, isJsonObject, nearestName } from '@framegate/contract';
import type { AiSdkProvider } from '../configuredRoutes.ts';
import type { Api } from '../ownRequests.ts';
import { fieldsOf } from '../unknownJson.ts';
import type { TwoStepVideoModel } from '../videoRoute.ts';
import { testedPackages } from './dialects.ts';

/** The models of a provider. Both throw an Error for the operator for an unusable model. */
export interface ModelMaker {
  videoModel(modelId: string): TwoStepVideoModel;
  imageModel(modelId: string): ImageModel;
}

/**
 * Loads a package with the AI SDK's provider interface from the operator's installation and opens the provider
 * with a key, its options and our fetch.
 * @param providersDir Absolute path of the folder that is searched first.
 * @throws Error with the package to install, or the change to make.
 */
export async function loadAiSdk(
  provider: AiSdkProvider,
  { apiKey, fetch }: Pick<Api, 'apiKey' | 'fetch'>,
  providersDir: string | null = null,
): Promise<ModelMaker> {
  const { package: name, factory } = provider;
  const version = testedPackages[name]?.version;
  const exact = version === undefined ? name : `${name}@${version}`;
  const meant = version === undefined ? nearestName(name, Object.keys(testedPackages)) : null;
  const loaded = (await importPackage(name, providersDir, exact, meant)) as Record<string, unknown>;
  const create = loaded[factory];
  if (typeof create !== 'function') {
    throw new Error(`${name} has no export "${factory}"; its factory is usually named create…`);
  }
  const keyOption = testedPackages[name]?.keyOption ?? 'apiKey';
  const options = { ...provider.options, [keyOption]: apiKey, fetch };
  return modelsOf((create as (settings: object) => unknown)(options), name);
}

/** The models of an opened provider with the interface. For images, v3 has the call and the result of v4. */
export function modelsOf(provider: unknown, name: string): ModelMaker {
  const make = (kind: 'video' | 'image', versions: readonly string[], modelId: string): unknown => {
    const model = makeModel(provider, [`${kind}Model`, kind], modelId);
    if (!model) throw new Error(`${name} makes no ${kind}s (it has no ${kind}Model)`);
    const where = `${name} makes ${kind}s`;
    const has = (method: string) => typeof model[method] === 'function';
    const version = String(model['specificationVersion']);
    if (!versions.includes(version) || (kind === 'image' && !has('doGenerate'))) {
      const needed = `${versions.join(' or ')} is needed`;
      throw new Error(`${where} by version ${version} of the provider interface; ${needed}`);
    }
    if (kind === 'video' && !(has('doStart') && has('doStatus'))) {
      const lost = '(no doStart and doStatus), which a restart would lose';
      throw new Error(`${where} in one long call ${lost}`);
    }
    return model;
  };
  return {
    videoModel: (modelId) => make('video', ['v4'], modelId) as TwoStepVideoModel,
    imageModel: (modelId) => make('image', ['v3', 'v4'], modelId) as ImageModel,
  };
}

/** Calls the first of these factory methods that the provider has. */
function makeModel(
  provider: unknown,
  makers: readonly string[],
  modelId: string,
): Record<string, unknown> | null {
  if ((typeof provider !== 'object' && typeof provider !== 'function') || provider === null) {
    return null;
  }
  const members = provider as Record<string, unknown>;
  const maker = makers.map((each) => members[each]).find((each) => typeof each === 'function');
  const model: unknown = (maker as ((id: string) => unknown) | undefined)?.(modelId);
  return isJsonObject(model) ? model : null;
}

/**
 * Imports a package from the operator's installation.
 * @param providersDir Absolute path of the folder that is searched first.
 * @param install Package to install if missing, such as `name@1.2.3`.
 * @param meant The package that was probably meant, if the name is unknown: a misspelt name may be a stranger's.
 * @throws Error with the installation command, or with the name that was meant.
 */
export async function importPackage(
  name: string,
  providersDir: string | null,
  install: string,
  meant: string | null = null,
): Promise<unknown> {
  try {
    return await import((providersDir && resolveIn(providersDir, name)) ?? name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (meant !== null) {
      throw new Error(`${name} is not installed: did you mean ${meant}?`, { cause: error });
    }
    const where =
      providersDir === null ? '-w @framegate/gateway' : `--prefix ${JSON.stringify(providersDir)}`;
    throw new Error(`${name} is not installed: run npm install --save-exact ${where} ${install}`, {
      cause: error,
    });
  }
}

function isMissing(error: unknown): boolean {
  return /^(ERR_)?MODULE_NOT_FOUND$/.test(String(fieldsOf(error)['code']));
}

/**
 * The URL from which Node imports a package of a folder. `import` resolves only from the importing module itself, so a
 * hook names one in that folder.
 * @returns Null if the package is not there.
 * @throws Error if it exports nothing for an import.
 */
function resolveIn(folder: string, name: string): string | null {
  const parentURL = pathToFileURL(join(folder, 'package.json')).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, specifier === name ? { ...context, parentURL } : context),
  });
  try {
    return import.meta.resolve(name);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ERR_MODULE_NOT_FOUND') return null;
    if (code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    throw new Error(`${name} exports nothing that can be imported`, { cause: error });
  } finally {
    hooks.deregister();
  }
}
