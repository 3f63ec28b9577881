import startMongod from '../../support/globalSetup.ts';
import { installLocked, npm } from '../../support/install.ts';
import { appFolder } from './zap.ts';

/** Before the suite: the app installed and built, and a mongod for the gateways. */
export default async function installApp(): Promise<void> {
  await installLocked(appFolder);
  await npm(appFolder, 'run', 'build');
  await startMongod();
}
