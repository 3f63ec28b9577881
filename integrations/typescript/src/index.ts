/* The client, using only standard globals: for edge runtimes, which have no files. */

export {
  Framegate,
  type CompletedGeneration,
  type CompletedImages,
  type CompletedVideo,
  type CreateAndWaitOptions,
  type CreateOptions,
} from './client.ts';
export * from './errors.ts';
export { price, type PriceParameters } from './price.ts';
export type { DownloadedFile, DownloadOptions } from './download.ts';
export type {
  CreateImage,
  CreateVideo,
  CreditBalance,
  Generation,
  Model,
} from './generated/api.ts';
export type { Logger, LogLevel } from './core/log.ts';
export type { Platform } from './platform.ts';
export { responseOf, type RawResponse } from './core/response.ts';
export type { FramegateOptions } from './settings.ts';
export type { NodeWritable, OpenFile, Sink, StreamTarget } from './sink.ts';
export type { WaitOptions, WaitProgress } from './wait.ts';
