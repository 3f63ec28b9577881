import { join } from 'node:path';
import { installLocked } from '../../support/install.ts';

/** Third-party tools for OpenAPI documents have a separate manifest because they are heavy. */
export const toolsFolder = import.meta.dirname;

/** Installs the tools in this folder's lockfile, once. */
export async function installOpenApiTools(): Promise<void> {
  await installLocked(toolsFolder);
}

/** Path of an installed program. */
export const openApiTool = (name: string) => join(toolsFolder, 'node_modules/.bin', name);
