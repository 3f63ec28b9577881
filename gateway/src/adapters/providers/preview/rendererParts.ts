import type { Log } from './log.ts';
import type { RenderQueue } from './renderQueue.ts';
import type { RenderStore } from './renderStore.ts';

/** What the renderer's models share. */
export type RendererParts = {
  readonly store: RenderStore;
  readonly queue: RenderQueue;
  readonly log: Log;
  readonly now: () => number;
  readonly newId: () => string;
  /** The seed of a request that brought none. */
  readonly drawSeed: (renderId: string) => number;
};
