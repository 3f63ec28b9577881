import { stopMongod } from './globalSetup.ts';

/** Stops what the set-up of every suite has started. */
export default stopMongod;
