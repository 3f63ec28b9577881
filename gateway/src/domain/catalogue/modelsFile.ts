import { catalogue, didYouMean, maxPriceCredits, type Model } from '@framegate/contract';
import { reporter } from '../installation/fileProblems.ts';
import { type Catalogue, type GroupPrice, withGroupPrice } from './catalogue.ts';
import { applyEntry, checkCredits, type ModelEntryJson } from './modelEntry.ts';

/** MODELS_FILE as written, after the check of its form. */
export interface ModelsFileJson {
  /** ISO 8601 with a time zone. */
  from?: string;
  models?: Record<string, ModelEntryJson>;
  groups?: Record<string, Record<string, GroupPrice>>;
}

/**
 * Applies MODELS_FILE to the built-in models.
 * @param entries The well-formed entries.
 * @param ids The ids of all entries, so that a malformed one is not reported as missing.
 * @returns The catalogue, which is valid only without problems.
 */
export function applyModelsFile(
  entries: ModelsFileJson,
  ids: readonly string[],
): { catalogue: Catalogue; problems: string[] } {
  const { models = {}, groups = {} } = entries;
  const problems: string[] = [];
  const builtIn = catalogue.map((model) => entryOver(model.id, model, models[model.id], problems));
  const newModels = Object.entries(models)
    .filter(([id]) => !catalogue.some((model) => model.id === id))
    .map(([id, entry]) => entryOver(id, null, entry, problems));
  const all = [...builtIn, ...newModels];
  checkGroups(all, new Set([...all.map(({ id }) => id), ...ids]), groups, problems);
  return { catalogue: { models: all, groups }, problems };
}

/** @param base Null for an id that is not built in. */
function entryOver(
  id: string,
  base: Model | null,
  entry: ModelEntryJson | undefined,
  problems: string[],
): Model {
  const report = reporter(problems, ['models', id]);
  const before = problems.length;
  const model = entry === undefined && base ? base : applyEntry(id, base, entry ?? {}, report);
  const near = didYouMean(
    id,
    catalogue.map((each) => each.id),
  );
  if (base === null && near !== '' && problems.length > before) {
    report([], `is not a built-in model${near}, and is incomplete as a new one`);
  }
  return model;
}

function checkGroups(
  models: readonly Model[],
  ids: ReadonlySet<string>,
  groups: NonNullable<ModelsFileJson['groups']>,
  problems: string[],
): void {
  for (const [name, prices] of Object.entries(groups)) {
    for (const [id, price] of Object.entries(prices)) {
      const report = reporter(problems, ['groups', name, id]);
      const meant = id === '*' ? models : models.filter((model) => model.id === id);
      if (id !== '*' && !ids.has(id)) {
        const modelIds = [...ids];
        report(
          [],
          `is not a model${didYouMean(id, modelIds)}; there are ${modelIds.join(', ')} and *`,
        );
      }
      if (id === '*' && price.credits) {
        report(['credits'], 'is not allowed for *. Use "factor" instead');
      }
      for (const model of meant) {
        if (id !== '*') {
          checkCredits(model, price.credits ?? {}, (path, sentence) => {
            report(['credits', ...path], sentence);
          });
        }
        const after = withGroupPrice(model, price);
        const all = after.type === 'video' ? after.creditsPerSecond : after.creditsPerImage;
        if (Math.max(...Object.values(all)) > maxPriceCredits) {
          report(['factor'], `makes a price of ${model.id} higher than ${maxPriceCredits} credits`);
        }
      }
    }
  }
}
