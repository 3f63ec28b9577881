import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import Joi from 'joi';
import { catalogue, maxLimit, messageOf, withPrices } from '@framegate/contract';
import { defaultLimits, limitRules, type Limits } from '../domain/accounts/limits.ts';
import { type Brand, builtInBrand } from '../domain/brand/brand.ts';
import type * as SafetyPolicies from '../domain/generations/safetyPolicy.ts';
import type { SafetyRule } from '../domain/generations/safetyPolicy.ts';
import { once } from '../domain/once.ts';
import type * as BrandFiles from './brandFile.ts';
import {
  type JsonFile,
  parseFile,
  readJsonFile,
  readSmallFile,
  requireUnique,
} from './jsonFile.ts';
import type * as ModelsFiles from './modelsFile.ts';
import type { ModelsFile } from './modelsFile.ts';
import { emptyRoutesFile, readRoutesFile, type RoutesJsonFile } from './routesFile.ts';
import { type ConfigProblem, pathSetting, problemWith } from './setting.ts';

const load = createRequire(import.meta.url);
/** The checks of a file are loaded only if there is one. */
const safetyPolicies = () => load('../domain/generations/safetyPolicy.ts') as typeof SafetyPolicies;
const brandFiles = () => load('./brandFile.ts') as typeof BrandFiles;
const modelsFiles = () => load('./modelsFile.ts') as typeof ModelsFiles;

const limitNames = limitRules.map(({ name }) => `\`${name}\``).join(', ');

/** The operator's JSON files. */
export const fileSettings = {
  ROUTES_FILE: pathSetting({
    fallbackText: 'the preview renderer stands in for every model',
    meaning: 'Providers and routes, as JSON (docs/providers.md).',
  }),
  MODELS_FILE: pathSetting({
    fallbackText: 'the built-in models',
    meaning: 'Models and prices, as JSON (docs/models.md).',
  }),
  BRAND_FILE: pathSetting({
    fallbackText: 'the name and look of Framegate',
    meaning:
      "Your product's name, look, links and email sender, as shown to customers, as JSON (docs/operating/brand.md).",
  }),
  PRICES_FILE: pathSetting({
    fallbackText: "the catalogue's prices",
    meaning:
      'Only prices in credits, as JSON: `{ "<model>": { "<resolution>": credits } }`; not together with MODELS_FILE.',
  }),
  LIMITS_FILE: pathSetting({
    fallbackText: 'the built-in limits',
    meaning: `Limits of accounts without their own, as JSON: ${limitNames}.`,
  }),
  SAFETY_FILE: pathSetting({
    fallbackText: 'no rules',
    meaning:
      'Words and patterns that a prompt must not contain, as JSON: `{ "rules": [{ "name", "words", "patterns" }] }`.',
  }),
};

/** The catalogue requested by the settings. */
export interface ConfiguredCatalogue extends ModelsFile {
  /** Its file; null for the built-in models. */
  file: { setting: 'MODELS_FILE' | 'PRICES_FILE'; path: string } | null;
}

/** Contents of the files; defaults for unset settings. */
export interface OperatorFiles {
  /** ROUTES_FILE unchecked; null if the preview renderer makes everything. */
  routes: RoutesJsonFile | null;
  /** The checked rules of SAFETY_FILE; empty without it. */
  safety: readonly SafetyRule[];
  /** Limits of an account that sets none. */
  limits: Limits;
  catalogue: ConfiguredCatalogue;
  /** Name and appearance for customers. */
  brand: Brand;
}

/**
 * Reads the files named by settings.
 * @param paths Absolute or relative to the working directory; absent for unset settings.
 * @param startsRoutes Whether ROUTES_FILE may be missing, because it will be written.
 * @returns The readable contents, and the problems of the rest.
 */
export function readFiles(
  paths: { [Setting in keyof typeof fileSettings]?: string | null },
  absolute: (path: string) => string,
  startsRoutes = false,
): { files: OperatorFiles; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const read = <T>(setting: keyof typeof fileSettings, none: T, use: (path: string) => T): T => {
    const path = paths[setting];
    if (!path) return none;
    try {
      return use(absolute(path));
    } catch (error) {
      problems.push(problemWith(setting, `is "${path}": ${messageOf(error)}.`));
      return none;
    }
  };
  const json =
    <T>(use: (file: JsonFile) => T) =>
    (path: string) =>
      use(requireUnique(readJsonFile(path)));
  const configured = read(
    'MODELS_FILE',
    read('PRICES_FILE', builtIn, json(catalogueOfPrices)),
    json(catalogueOfModels),
  );
  const models = problems.length > 0 ? null : configured.catalogue.models.map(({ id }) => id);
  const files = {
    // Repeated names in it are reported with its other problems.
    routes: read<RoutesJsonFile | null>('ROUTES_FILE', null, (path) =>
      startsRoutes && !existsSync(path) ? emptyRoutesFile(path) : readRoutesFile(path),
    ),
    safety: read<readonly SafetyRule[]>(
      'SAFETY_FILE',
      [],
      json(({ content }) => parseSafety(content)),
    ),
    limits: read(
      'LIMITS_FILE',
      defaultLimits,
      json(({ content }) => parseLimits(content)),
    ),
    brand: read(
      'BRAND_FILE',
      builtInBrand,
      json((file) => readBrand(file, models)),
    ),
    catalogue: configured,
  };
  return { files, problems };
}

/** Paths in the file are relative to its folder. */
const readBrand = (file: JsonFile, models: readonly string[] | null): Brand =>
  parseFile(file, (content) =>
    brandFiles().parseBrandFile(
      content,
      (named, maxBytes) => readSmallFile(resolve(dirname(file.path), named), maxBytes),
      models,
    ),
  );

const builtIn: ConfiguredCatalogue = {
  catalogue: { models: catalogue, groups: {} },
  from: null,
  file: null,
};

const catalogueOfModels = (file: JsonFile): ConfiguredCatalogue => ({
  ...parseFile(file, (content) => modelsFiles().parseModelsFile(content)),
  file: { setting: 'MODELS_FILE', path: file.path },
});

const catalogueOfPrices = ({ path, content }: JsonFile): ConfiguredCatalogue => ({
  catalogue: { models: withPrices(catalogue, content), groups: {} },
  from: null,
  file: { setting: 'PRICES_FILE', path },
});

/** Re-reads the catalogue's file. @throws Error with the reason, such as a ModelsFileError. */
export function rereadCatalogue(configured: ConfiguredCatalogue): ConfiguredCatalogue {
  return configured.file === null ? configured : readCatalogue(configured.file).configured;
}

/** Reads a catalogue's file, with the lines of its members. @throws Error with the reason. */
export function readCatalogue({ setting, path }: NonNullable<ConfiguredCatalogue['file']>) {
  const file = requireUnique(readJsonFile(path));
  const configured = (setting === 'MODELS_FILE' ? catalogueOfModels : catalogueOfPrices)(file);
  return { configured, lines: file.lines };
}

/** Checks the content of a file. @throws Error naming every problem with its place in the file. */
function check<T>(schema: Joi.Schema<T>, content: unknown): T {
  const options = { abortEarly: false, convert: false };
  const checked: { value: T; error?: Joi.ValidationError | undefined } = schema.validate(
    content,
    options,
  );
  if (checked.error === undefined) return checked.value;
  throw new Error(
    checked.error.details.map(({ message }) => message.replaceAll('"', '')).join('; '),
  );
}

const limitsSchema = once(() =>
  Joi.object<Record<string, number>>(
    Object.fromEntries(
      limitRules.map(({ name, min }) => [name, Joi.number().integer().min(min).max(maxLimit)]),
    ),
  ).label('limits'),
);

/** The default limits, overridden by LIMITS_FILE. @throws Error like `check`. */
function parseLimits(content: unknown): Limits {
  const overrides = check(limitsSchema(), content);
  const limits = { ...defaultLimits };
  for (const { limit, name } of limitRules) limits[limit] = overrides[name] ?? limits[limit];
  return limits;
}

const texts = (max: number, length: number) =>
  Joi.array().items(Joi.string().min(1).max(length)).max(max);

const safetySchema = once(() =>
  Joi.object<{ rules: (Pick<SafetyRule, 'name'> & Partial<SafetyRule>)[] }>({
    rules: Joi.array()
      .items(
        Joi.object({
          name: Joi.string().min(1).max(100).required(),
          words: texts(10_000, 200),
          patterns: texts(1_000, 1_000),
        }).or('words', 'patterns'),
      )
      .unique('name')
      .max(1_000)
      .required(),
  }).required(),
);

/** The operator's safety rules. @throws Error like `check`, or for a word or pattern that cannot work. */
function parseSafety(content: unknown): readonly SafetyRule[] {
  const rules = check(safetySchema(), content).rules.map(({ name, words = [], patterns = [] }) => ({
    name,
    words,
    patterns,
  }));
  const { createSafetyPolicy, SafetyRuleError } = safetyPolicies();
  try {
    createSafetyPolicy(rules);
  } catch (problem) {
    if (!(problem instanceof SafetyRuleError)) throw problem;
    throw new Error(`${problem.path} ${problem.message}`, { cause: problem });
  }
  return rules;
}
