import { join } from 'node:path';

/** Folder of the package. */
export const packageFolder = join(import.meta.dirname, '../../../integrations/n8n');
