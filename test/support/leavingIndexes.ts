import { leavingIndexes as described } from '../../gateway/src/adapters/mongo/models/leavingIndexes.ts';

/** Names of indexes of generations that the next release drops; plans are tested without them. */
export const leavingIndexes: readonly string[] = described.map(([, { name }]) => name);
