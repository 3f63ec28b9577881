import { noStore } from './core/noStore.ts';
import * as core from './core/platform.ts';
import type { OpenFile } from './sink.ts';

/** The client's requirements of the runtime; tests provide their own. */
export interface Platform extends core.Platform {
  /** Fetches a file whose body may be read slowly. */
  fetchFile(
    url: string,
    init: { headers: Record<string, string>; signal: AbortSignal },
  ): Promise<Response>;
  /** Opens a file for a download; only in runtimes with files. */
  openFile?: OpenFile;
}

/** The standard globals that Node, Deno, Bun and edge runtimes share. */
export const standardPlatform: Platform = {
  ...core.standardPlatform,
  fetchFile: (url, init) => globalThis.fetch(url, { ...noStore, ...init }),
};
