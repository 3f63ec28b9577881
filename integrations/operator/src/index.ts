/* The client, using only standard globals. */

export { FramegateOperator } from './client.ts';
export * from './errors.ts';
export type * from './generated/api.ts';
export type { Logger, LogLevel } from './generated/log.ts';
export { responseOf, type RawResponse } from './generated/response.ts';
export type { FollowOptions, ReadOptions, WriteOptions } from './operation.ts';
export type { Platform } from './generated/platform.ts';
export type { OperatorOptions } from './settings.ts';
