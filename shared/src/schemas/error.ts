import { errorCodes, errorTypes } from '../errorCodes.ts';
import { amount, codeWord, flag, list, object, text, words } from './fields.ts';

/** One problem of a refused request. */
export const detailSchema = object({
  param: words().required().description('The field at fault, such as inputs[1].url.'),
  code: words().required(),
  message: words().required(),
}).meta({ component: 'ErrorDetail' });

/** Body of every refused request. */
export const errorSchema = object({
  error: object({
    type: codeWord(errorTypes).required(),
    code: codeWord(Object.keys(errorCodes)).required(),
    message: words()
      .required()
      .description('For people to read. Programs should check code instead.'),
    param: words().allow(null).required().description('The first field at fault, if there is one.'),
    request_id: text(/^req_[0-9a-hjkmnp-tv-z]{26}$/, 'a request id')
      .required()
      .description('Include it when you contact support; also sent as X-Request-Id.'),
    retryable: flag().required().description('Whether the same request may succeed later.'),
    details: list(detailSchema).required().description('Every problem with the request.'),
    credits: object({
      required: amount().required(),
      available: amount().required(),
    }).description('Only with insufficient_credits.'),
  })
    .required()
    .meta({ component: 'ErrorInfo' }),
})
  .required()
  .meta({ component: 'Error' });
