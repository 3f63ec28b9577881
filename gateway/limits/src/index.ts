export * from './byteBudget.ts';
export * from './concurrency.ts';
export * from './decodedBody.ts';
export * from './pace.ts';
export * from './slots.ts';
export * from './sharing.ts';
export * from './transfers.ts';
export * from './turns.ts';
