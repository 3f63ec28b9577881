import { createPasswords } from '../../gateway/src/adapters/system/passwords.ts';

/** Hashes at the least cost: at the usual one, each sign-up and sign-in of a test would take 25 ms of a processor. */
export const quickPasswords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
