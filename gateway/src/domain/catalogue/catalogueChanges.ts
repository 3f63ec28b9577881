import { isJsonObject, type Model, type ModelEntry, presentModel } from '@framegate/contract';
import { type Catalogue, withGroupPrices } from './catalogue.ts';

/** One field of GET /models that changes for customers. */
export interface CatalogueChange {
  /** The group of accounts concerned; null for accounts without a group. */
  group: string | null;
  model: string;
  /** Path within the entry, such as `pricing.credits.720p`; empty for a new or removed model. */
  field: string;
  before: unknown;
  after: unknown;
}

/** Differences between two catalogues that customers see; for groups, only prices. */
export function catalogueChanges(before: Catalogue, after: Catalogue): CatalogueChange[] {
  const names = new Set([...Object.keys(before.groups), ...Object.keys(after.groups)]);
  return [null, ...names].flatMap((group) => {
    const was = entriesOf(before, group);
    const is = entriesOf(after, group);
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((model) => {
      const [old, next] = [was.get(model), is.get(model)];
      if (!old || !next) {
        const isKnown = (entry: ModelEntry | undefined) => entry !== undefined;
        return [{ group, model, field: '', before: isKnown(old), after: isKnown(next) }];
      }
      return differences(flattenFields(old), flattenFields(next))
        .filter(({ field }) => group === null || field.startsWith('pricing.'))
        .map((change) => ({ group, model, ...change }));
    });
  });
}

function entriesOf({ models, groups }: Catalogue, group: string | null): Map<string, ModelEntry> {
  const entryOf = (model: Model): [string, ModelEntry] => [model.id, presentModel(model)];
  return new Map(withGroupPrices(models, groups, group).map(entryOf));
}

/** Fields by path, lists as a whole, without price examples. */
function flattenFields(value: object, path = ''): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, each] of Object.entries(value) as [string, unknown][]) {
    const at = path === '' ? name : `${path}.${name}`;
    if (at === 'pricing.examples') continue;
    for (const [inner, innerValue] of isJsonObject(each)
      ? flattenFields(each, at)
      : [[at, each] as const]) {
      fields.set(inner, innerValue);
    }
  }
  return fields;
}

function differences(before: Map<string, unknown>, after: Map<string, unknown>) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [was = null, is = null] = [before.get(field), after.get(field)];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ field, before: was, after: is }];
  });
}
