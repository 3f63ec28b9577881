import { createPiece } from '@activepieces/pieces-framework';
import { actions } from './actions.ts';
import { connection } from './connection.ts';

/** The piece, as Activepieces loads it. */
export const framegate = createPiece({
  displayName: 'Framegate',
  description: 'Create videos and images with credits',
  auth: connection,
  logoUrl:
    'https://raw.githubusercontent.com/framegate/framegate/main/integrations/zapier/logo.png',
  authors: ['framegate'],
  actions,
  triggers: [],
});
