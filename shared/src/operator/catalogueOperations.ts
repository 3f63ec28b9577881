import { amount, flag, list, object, oneOf, time, words } from '../schemas/fields.ts';
import { page, pageQuery } from './fields.ts';
import type { OperatorOperation } from './operation.ts';

const catalogueVersion = object({
  object: oneOf(['catalogue_version']).required(),
  version: amount(1).required().description('1, 2, 3 …'),
  in_force: flag().required().description('Whether its models and prices hold now.'),
  from: time().required().description('When it began or begins.'),
  published_at: time().required(),
  published_by: words().required().description('The process that published it.'),
  from_file: flag().required().description('Whether it is from a file of yours.'),
  hash: words().required().description('Of the settings that it was made from.'),
  models: list(words()).required().description('The ids of its models.'),
  groups: list(words()).required().description('The groups with prices of their own.'),
})
  .required()
  .meta({ component: 'CatalogueVersion' });

/** Operations on the catalogue. */
export const catalogueOperations = {
  listCatalogueVersions: {
    method: 'GET',
    path: '/catalogue/versions',
    tag: 'Catalogue',
    scope: 'generations:read',
    summary: 'List the versions of models and prices',
    description: 'The newest first; also one that has not begun.',
    query: pageQuery,
    status: 200,
    answer: page('CatalogueVersionList', catalogueVersion, 'null at the end of the list.'),
    refusals: ['cursor_invalid'],
  },
} as const satisfies Record<string, OperatorOperation>;
