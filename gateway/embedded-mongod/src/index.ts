/** A MongoDB server for trials and tests: found or downloaded, started, shared and stopped. */
export { EmbeddedDatabaseError } from './errors.ts';
export { findMongod, type FoundMongod } from './findMongod.ts';
export {
  startEmbeddedMongod,
  stopUnusedMongod,
  type EmbeddedMongod,
} from './startEmbeddedMongod.ts';
