export * from './concurrency.ts';
export * from './transfers.ts';
