import { install, npm } from '../../support/install.ts';
import startMongod from '../../support/globalSetup.ts';
import { appFolder } from './zap.ts';

/** Before the suite: the app installed and built, and a mongod for the gateways. */
export default async function installApp(): Promise<void> {
  install(appFolder);
  npm(appFolder, 'run', 'build');
  await startMongod();
}
