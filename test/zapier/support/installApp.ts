import { installWords } from '../../../scripts/release/ownTools.ts';
import { installLocked } from '../../n8n/support/preparePackage.ts';
import startMongod from '../../support/globalSetup.ts';
import { npm } from '../../support/install.ts';
import { appFolder } from './zap.ts';

/** Before the suite: the app installed and built, and a mongod for the gateways. */
export default async function installApp(): Promise<void> {
  await installLocked(appFolder, installWords);
  npm(appFolder, 'run', 'build');
  await startMongod();
}
