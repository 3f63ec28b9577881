import { stopMongod } from './globalSetup.ts';

/** Stops the mongod that the set-up of every suite has started. */
export default stopMongod;
