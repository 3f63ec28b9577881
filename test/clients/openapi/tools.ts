import { join } from 'node:path';
import { installLocked } from '../../n8n/support/preparePackage.ts';

/** Others' tools for OpenAPI documents have a manifest of their own: they are heavy. */
export const toolsFolder = import.meta.dirname;

/** Installs the tools that this folder's lockfile names, once. */
export async function installOpenApiTools(): Promise<void> {
  await installLocked(toolsFolder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}

/** The path of an installed program. */
export const openApiTool = (name: string) => join(toolsFolder, 'node_modules/.bin', name);
