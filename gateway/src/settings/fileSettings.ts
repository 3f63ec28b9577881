import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import Joi from 'joi';
import { catalogue, maxLimit, messageOf } from '@framegate/contract';
import { defaultLimits, limitRules, type Limits } from '../domain/accounts/limits.ts';
import { type Brand, builtInBrand } from '../domain/brand/brand.ts';
import type * as SafetyPolicies from '../domain/generations/safetyPolicy.ts';
import type { SafetyRule } from '../domain/generations/safetyPolicy.ts';
import { once } from '../domain/once.ts';
import type * as BrandFiles from './brandFile.ts';
import {
  checkContent,
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
  /** The catalogue's file; null for the built-in models. */
  file: CatalogueSource | null;
}

interface CatalogueSource {
  setting: 'MODELS_FILE' | 'PRICES_FILE';
  path: string;
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
 * @param mayLackRoutes Whether ROUTES_FILE may be missing, because it will be written.
 * @returns The readable contents, and the problems of the rest.
 */
export function readFiles(
  paths: { [Setting in keyof typeof fileSettings]?: string | null },
  absolute: (path: string) => string,
  mayLackRoutes = false,
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
    <T>(parse: (content: unknown, file: JsonFile) => T) =>
    (path: string) =>
      readParsed(path, parse).parsed;
  const configured = read(
    'MODELS_FILE',
    read('PRICES_FILE', builtIn, readCatalogueOf('PRICES_FILE')),
    readCatalogueOf('MODELS_FILE'),
  );
  const models = problems.length > 0 ? null : configured.catalogue.models.map(({ id }) => id);
  const files = {
    // Repeated names in it are reported with its other problems.
    routes: read<RoutesJsonFile | null>('ROUTES_FILE', null, (path) =>
      mayLackRoutes && !existsSync(path) ? emptyRoutesFile(path) : readRoutesFile(path),
    ),
    safety: read<readonly SafetyRule[]>('SAFETY_FILE', [], json(parseSafety)),
    limits: read('LIMITS_FILE', defaultLimits, json(parseLimits)),
    brand: read(
      'BRAND_FILE',
      builtInBrand,
      json((content, { path }) => parseBrand(content, path, models)),
    ),
    catalogue: configured,
  };
  return { files, problems };
}

/** Paths in the file are relative to its folder. */
const parseBrand = (content: unknown, path: string, models: readonly string[] | null): Brand =>
  brandFiles().parseBrandFile(
    content,
    (named, maxBytes) => readSmallFile(resolve(dirname(path), named), maxBytes),
    models,
  );

const builtIn: ConfiguredCatalogue = {
  catalogue: { models: catalogue, groups: {} },
  from: null,
  file: null,
};

const readCatalogueOf = (setting: CatalogueSource['setting']) => (path: string) =>
  readCatalogue({ setting, path }).configured;

/** Re-reads the catalogue's file. @throws Error with the reason, such as a FileProblemsError. */
export function rereadCatalogue(configured: ConfiguredCatalogue): ConfiguredCatalogue {
  return configured.file === null ? configured : readCatalogue(configured.file).configured;
}

/** Reads a catalogue's file, with the lines of its members. @throws Error with the reason. */
export function readCatalogue(source: CatalogueSource) {
  const { parseModelsFile, parsePricesFile } = modelsFiles();
  const parse = source.setting === 'MODELS_FILE' ? parseModelsFile : parsePricesFile;
  const { parsed, lines } = readParsed(source.path, parse);
  const configured: ConfiguredCatalogue = { ...parsed, file: source };
  return { configured, lines };
}

/** Reads and parses a JSON file, with the lines of its members. @throws Error with the reason. */
function readParsed<T>(path: string, parse: (content: unknown, file: JsonFile) => T) {
  const file = requireUnique(readJsonFile(path));
  return { parsed: parseFile(file, (content) => parse(content, file)), lines: file.lines };
}

const limitsSchema = once(() =>
  Joi.object<Record<string, number>>(
    Object.fromEntries(
      limitRules.map(({ name, min }) => [name, Joi.number().integer().min(min).max(maxLimit)]),
    ),
  ),
);

/** The default limits, overridden by LIMITS_FILE. @throws FileProblemsError */
function parseLimits(content: unknown): Limits {
  const overrides = checkContent(limitsSchema(), content);
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

/** The operator's safety rules. @throws FileProblemsError */
function parseSafety(content: unknown): readonly SafetyRule[] {
  const rules = checkContent(safetySchema(), content).rules.map(
    ({ name, words = [], patterns = [] }) => ({
      name,
      words,
      patterns,
    }),
  );
  safetyPolicies().createSafetyPolicy(rules);
  return rules;
}
