import { join } from 'node:path';

/** Where the package is. */
export const packageFolder = join(import.meta.dirname, '../../../integrations/n8n');
