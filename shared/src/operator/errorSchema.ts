import { errorSchema } from '../schemas/error.ts';
import { amount, object, words } from '../schemas/fields.ts';

const restored = object({
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
