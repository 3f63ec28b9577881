import rootSetup from '../../support/globalSetup.ts';
import { preparePackage } from './preparePackage.ts';

/** Installs and builds the package, and starts the database that all tests use. */
export default async function globalSetup(): Promise<void> {
  await preparePackage();
  await rootSetup();
}
