import { documentSchema, text, time } from './schema.ts';

/**
 * The generation of each provider's task, by the task's identity. The id makes it unique across accounts.
 */
export const providerTaskSchema = documentSchema('providerTasks', {
  _id: text,
  generationId: text,
  goneAt: time,
}).index({ goneAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });
