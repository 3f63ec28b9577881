import { amount, flag, list, object, oneOf, plainText, time } from '../schemas/fields.ts';
import { page, pageQuery } from './fields.ts';
import type { OperatorOperation } from './operation.ts';

const catalogueVersion = object({
  object: oneOf(['catalogue_version']).required(),
  version: amount(1).required().description('1, 2, 3 …'),
  in_force: flag().required().description('Whether its models and prices apply now.'),
  from: time().required().description('When it took or takes effect.'),
  published_at: time().required(),
  published_by: plainText().required().description('The process that published it.'),
  from_file: flag().required().description('Whether it was loaded from one of your files.'),
  hash: plainText().required().description('Hash of the settings it was created from.'),
  models: list(plainText()).required().description('IDs of its models.'),
  groups: list(plainText()).required().description('Groups that have their own prices.'),
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
    description: 'Newest first, including a version that is not in effect yet.',
    query: pageQuery,
    status: 200,
    response: page('CatalogueVersionList', catalogueVersion, 'null at the end of the list.'),
    refusals: ['cursor_invalid'],
  },
} as const satisfies Record<string, OperatorOperation>;
