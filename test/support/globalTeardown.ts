import { stopMongod } from './globalSetup.ts';

/** Stops the mongod started by the global set-up. */
export default stopMongod;
