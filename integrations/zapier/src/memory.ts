import type { ZObject } from 'zapier-platform-core';

/**
 * Notes of a step between its attempts, in z.cache. They help but are never required: the cache may be missing, full,
 * or lose everything, and no credit may depend on it.
 */
export interface Memory<T> {
  /** The note; null if there is none or the cache does not respond. */
  recall(): Promise<T | null>;
  /** Whether it was stored. */
  remember(value: T): Promise<boolean>;
}

/** An entry of the cache. @param keptSeconds Retention of the last value. */
export function openMemory<T extends object>(
  z: ZObject,
  name: string,
  keptSeconds: number,
): Memory<T> {
  return {
    async recall() {
      try {
        const value: unknown = await z.cache.get(name);
        return typeof value === 'object' && value !== null ? (value as T) : null;
      } catch {
        return null;
      }
    },
    async remember(value) {
      try {
        return (await z.cache.set(name, value, keptSeconds)) === true;
      } catch {
        return false;
      }
    },
  };
}
