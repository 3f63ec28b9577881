import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Experimental_VideoModelV4 as VideoModel,
  Experimental_VideoModelV4CallOptions as VideoCallOptions,
  ImageModelV4,
  ImageModelV4CallOptions as ImageCallOptions,
  JSONValue,
} from '@ai-sdk/provider';
import { createPreviewRenderer } from '@framegate/preview-renderer';

/** A line that the renderer logged. */
export type LogLine = { readonly message: string; readonly data: Record<string, unknown> };

/** A renderer on a folder, its log, and its models with their optional methods guaranteed. */
export interface TestRenderer {
  workDir: string;
  lines: LogLine[];
  /** Told of each child process as it starts. */
  onStart: (pid: number) => void;
  start(options: Partial<VideoCallOptions>): Promise<JSONValue>;
  status(operation: JSONValue): ReturnType<Required<VideoModel>['doStatus']>;
  /** Polls until the video exists, and returns its bytes; throws the error of a failed one. */
  video(operation: JSONValue): Promise<Uint8Array>;
  images(options: Partial<ImageCallOptions>): ReturnType<ImageModelV4['doGenerate']>;
  close(): Promise<void>;
}

/** A folder of its own, removed by the returned function. */
export async function makeWorkDir(): Promise<{ workDir: string; remove: () => Promise<void> }> {
  const workDir = await mkdtemp(path.join(tmpdir(), 'preview-'));
  return { workDir, remove: () => rm(workDir, { recursive: true, force: true }) };
}

/** A renderer whose clock runs `aheadMs` before the machine's. */
export function startRenderer(
  workDir: string,
  options: { maxRenderMs?: number; aheadMs?: number } = {},
): TestRenderer {
  const lines: LogLine[] = [];
  const take = (data: object, message: string) => {
    const line: LogLine = { message, data: { ...data } };
    lines.push(line);
    if (message === 'preview render started') test.onStart(Number(line.data['pid']));
  };
  const { maxRenderMs, aheadMs = 0 } = options;
  const renderer = createPreviewRenderer({
    workDir,
    log: { info: take, warn: take, error: take },
    now: () => Date.now() + aheadMs,
    newId: randomUUID,
    ...(maxRenderMs === undefined ? {} : { maxRenderMs }),
  });
  const model = renderer.videoModel('alpha-2.5');
  const imageModel = renderer.imageModel('image-b-2');
  const test: TestRenderer = {
    workDir,
    lines,
    onStart: () => undefined,
    async start(call) {
      const started = await model.doStart?.({ ...videoCall, ...call });
      if (!started) throw new Error('the model cannot start');
      return started.operation;
    },
    async status(operation) {
      const status = await model.doStatus?.({ operation });
      if (!status) throw new Error('the model has no status');
      return status;
    },
    async video(operation) {
      for (;;) {
        const status = await test.status(operation);
        if (status.status === 'error') throw new Error(status.error);
        const [video] = status.status === 'completed' ? status.videos : [];
        if (video?.type === 'binary') return video.data;
        await pause(20);
      }
    },
    images: async (call) => imageModel.doGenerate({ ...imageCall, ...call }),
    close: () => renderer.close(),
  };
  return test;
}

/** The smallest call: one second of 480p. */
const videoCall: VideoCallOptions = {
  prompt: 'A paper boat drifts on a quiet pond',
  n: 1,
  aspectRatio: undefined,
  resolution: '854x480',
  duration: 1,
  fps: undefined,
  seed: 7,
  image: undefined,
  frameImages: undefined,
  inputReferences: undefined,
  generateAudio: undefined,
  providerOptions: {},
};

const imageCall: ImageCallOptions = {
  prompt: 'A paper boat drifts on a quiet pond',
  n: 1,
  size: '640x360',
  aspectRatio: undefined,
  seed: 7,
  files: undefined,
  mask: undefined,
  providerOptions: {},
};
