import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import {
  type CompletedVideo,
  DownloadError,
  Framegate,
} from '../../../integrations/typescript/src/node/index.ts';
import type { Platform } from '../../../integrations/typescript/src/platform.ts';
import type { TestAccount } from '../../support/gateway.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';

/** A finished video, for downloads over a connection that can be disturbed. */
export interface Downloads {
  world: ClientWorld;
  account: TestAccount;
  id: string;
  /** The gateway's bytes of the video. */
  bytes: Buffer;
  /** The video, read again. */
  video: (platform?: Partial<Platform>) => Promise<CompletedVideo>;
  /** Error of a download, which names the video. */
  failureOf: (call: Promise<unknown>) => Promise<DownloadError>;
}

/** Requests for its file, for the proxy to disturb. */
export const media = { method: 'GET', path: '/media/' };

/** Creates it for the tests of a file; the proxy is undisturbed before each. */
export function useDownloads(): () => Downloads {
  let downloads: Downloads;
  beforeAll(async () => {
    downloads = await makeVideo();
  });
  beforeEach(() => {
    downloads.world.line.reset();
  });
  afterAll(() => downloads.world.stop());
  return () => downloads;
}

async function makeVideo(): Promise<Downloads> {
  const world = await startClientWorld();
  const account = await world.addAccount();
  const connect = (platform: Partial<Platform> = {}) => {
    const all = { ...hurriedPlatform(), ...platform };
    return new Framegate({ baseUrl: world.baseUrl, apiKey: account.apiKey, platform: all });
  };
  const { id, output } = await connect().videos.createAndWait({
    model: 'alpha-2.0-fast',
    mode: 'text-to-video',
    prompt: 'A paper boat',
  });
  const response = await fetch(output.urls[0] ?? '');
  return {
    world,
    account,
    id,
    bytes: Buffer.from(await response.arrayBuffer()),
    video: async (platform) => (await connect(platform).generations.wait(id)) as CompletedVideo,
    async failureOf(call) {
      const error: unknown = await call.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof DownloadError)) {
        throw error instanceof Error ? error : new Error('it has not failed');
      }
      expect(error.generationId).toBe(id);
      expect(error.message).toContain(id);
      return error;
    },
  };
}
