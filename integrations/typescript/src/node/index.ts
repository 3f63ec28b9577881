/* The client with files: for Node, Deno and Bun. */

import { Framegate as Client } from '../client.ts';
import type { FramegateOptions } from '../settings.ts';
import { fetchFile } from './fetchFile.ts';
import { openFile } from './files.ts';

export * from '../index.ts';

/** The API for one key. */
export class Framegate extends Client {
  /** @throws UsageError for unusable settings, and in browsers. */
  constructor(options: FramegateOptions = {}) {
    super({ ...options, platform: { fetchFile, openFile, ...options.platform } });
  }
}
