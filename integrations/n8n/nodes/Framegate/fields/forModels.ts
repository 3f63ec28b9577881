import type { INodeProperties } from 'n8n-workflow';
import { catalogue, type ImageModel, type Model, type VideoModel } from '../generated/contract';

type Conditions = NonNullable<NonNullable<INodeProperties['displayOptions']>['hide']>;

/** The video models that this version of the node knows. */
export const videoModels = catalogue.filter((model): model is VideoModel => model.type === 'video');

/** The image models that this version of the node knows. */
export const imageModels = catalogue.filter((model): model is ImageModel => model.type === 'image');

/*
 * Everything about models is a "hide" condition of plain comparisons. A "show" condition counts as met
 * by any expression, which would show each field once per model; and n8n gives a regular expression a
 * time limit that a busy machine exceeds, which would end the execution.
 */

/** Hides a field unless this very model is chosen. */
function onlyFor({ id }: Model): Conditions {
  return { '/model': [{ _cnd: { not: id } }] };
}

/** Hides a field for these models, so that it serves an expression or a model added since. */
function exceptFor(models: readonly Model[]): Conditions {
  return { '/model': models.map((model) => model.id) };
}

/**
 * One field per model, and one with every value for an expression or a model that is not known here.
 * All have the same name, and only one of them is ever shown.
 * @param read The values that a model allows; a model with none gets no field.
 * @param make The field for these values.
 */
export function variants<M extends Model, V>(
  models: readonly M[],
  read: (model: M) => readonly V[],
  make: (values: readonly V[]) => INodeProperties,
): INodeProperties[] {
  const able = models.filter((model) => read(model).length > 0);
  const every = [...new Set(able.flatMap((model) => [...read(model)]))];
  return [
    ...able.map((model) => withHide(make(read(model)), onlyFor(model))),
    withHide(make(every), exceptFor(models)),
  ];
}

function withHide(field: INodeProperties, hide: Conditions): INodeProperties {
  const { displayOptions } = field;
  return {
    ...field,
    displayOptions: { ...displayOptions, hide: { ...displayOptions?.hide, ...hide } },
  };
}
