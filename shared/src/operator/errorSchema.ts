import { errorSchema } from '../schemas/error.ts';
import { amount, object, words } from '../schemas/fields.ts';
import type { FeedRestored } from './wire.ts';

const restored = object<FeedRestored>({
  after: words().required().description('The cursor from which to read again.'),
  position: amount()
    .required()
    .description('What you hold with a higher position was lost, or has another one now.'),
})
  .meta({ component: 'FeedRestored' })
  .description('Only with feed_restored.');

/** Body of every request that the operator API refuses. */
export const operatorErrorSchema = errorSchema.keys({
  error: (errorSchema.extract('error') as ReturnType<typeof object>).keys({ restored }),
});
