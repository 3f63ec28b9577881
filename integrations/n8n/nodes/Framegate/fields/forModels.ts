import type { INodeProperties } from 'n8n-workflow';
import { catalogue } from '../generated/contract';
import type { ImageModel, Model, VideoModel } from '../generated/contract';

type Conditions = NonNullable<NonNullable<INodeProperties['displayOptions']>['hide']>;

/** The video models that this version of the node knows. */
export const videoModels = catalogue.filter((model): model is VideoModel => model.type === 'video');

/** The image models that this version of the node knows. */
export const imageModels = catalogue.filter((model): model is ImageModel => model.type === 'image');

/**
 * Hides a field unless one of these models is chosen. An expression as model hides it too, unless
 * `withExpression`: then the field stays, because the model is known only when the workflow runs.
 */
export function onlyForModels(models: readonly Model[], withExpression = false): Conditions {
  const ids = models.map((model) => model.id.replace(/\./g, '\\.') + '$');
  const wanted = withExpression ? ['=', ...ids] : ids;
  return { '/model': [{ _cnd: { regex: `^(?!(?:${wanted.join('|')}))` } }] };
}

/** Hides a field for these models, so that it serves an expression or a model added since. */
export function exceptForModels(models: readonly Model[]): Conditions {
  return { '/model': models.map((model) => model.id) };
}

/**
 * One field per group of models that allow the same values, and one with every value for a model
 * that is not known here. All have the same name, and only one of them is ever shown.
 * @param read The values that a model allows; a model with none gets no field.
 * @param make The field for these values.
 */
export function variants<M extends Model, V>(
  models: readonly M[],
  read: (model: M) => readonly V[],
  make: (values: readonly V[]) => INodeProperties,
): INodeProperties[] {
  const groups = new Map<string, M[]>();
  for (const model of models) {
    const key = JSON.stringify(read(model));
    groups.set(key, [...(groups.get(key) ?? []), model]);
  }
  const fields: INodeProperties[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    const values = first === undefined ? [] : read(first);
    if (values.length > 0) fields.push(withHide(make(values), onlyForModels(group)));
  }
  const every = [...new Set(models.flatMap((model) => [...read(model)]))];
  return [...fields, withHide(make(every), exceptForModels(models))];
}

/** The field, hidden under further conditions. */
export function withHide(field: INodeProperties, hide: Conditions): INodeProperties {
  const { displayOptions } = field;
  return {
    ...field,
    displayOptions: { ...displayOptions, hide: { ...displayOptions?.hide, ...hide } },
  };
}
