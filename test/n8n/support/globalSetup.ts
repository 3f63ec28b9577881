import rootSetup from '../../support/globalSetup.ts';
import { installN8n } from './n8nInstance.ts';
import { preparePackage } from './preparePackage.ts';

/** Installs n8n and the package, builds the package, and starts the database that all tests use. */
export default async function globalSetup(): Promise<void> {
  await installN8n();
  await preparePackage();
  await rootSetup();
}
