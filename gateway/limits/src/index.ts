export * from './byteBudget.ts';
export * from './concurrency.ts';
export * from './transfers.ts';
