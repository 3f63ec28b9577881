import { detailSchema, errorSchema } from '../schemas/error.ts';
import { amount, list, object, plainText } from '../schemas/fields.ts';

const restored = object({
  after: plainText().required().description('The cursor to resume from.'),
  position: amount()
    .required()
    .description('Discard records with a higher position: they were lost or have a new position.'),
})
  .meta({ component: 'FeedRestored' })
  .description('Present only with feed_restored.');

const details = list(
  detailSchema.keys({
    param: plainText()
      .allow(null)
      .required()
      .description('The field at fault, such as hosts[1]; null if there is no single one.'),
  }),
)
  .required()
  .description(
    'All problems with the request. With invalid_request, the code of each detail identifies the problem.',
  );

/** Body of every request that the operator API refuses. */
export const operatorErrorSchema = errorSchema.keys({
  error: (errorSchema.extract('error') as ReturnType<typeof object>).keys({ details, restored }),
});
