import { errorSchema } from '../schemas/error.ts';
import { amount, object, words } from '../schemas/fields.ts';

const restored = object({
  after: words().required().description('The cursor to resume from.'),
  position: amount()
    .required()
    .description('Discard records with a higher position: they were lost or have a new position.'),
})
  .meta({ component: 'FeedRestored' })
  .description('Present only with feed_restored.');

/** Body of every request that the operator API refuses. */
export const operatorErrorSchema = errorSchema.keys({
  error: (errorSchema.extract('error') as ReturnType<typeof object>).keys({ restored }),
});
