import { errorCodes, errorTypes } from '../errorCodes.ts';
import { amount, codeWord, flag, list, object, plainText, text } from './fields.ts';

/** One problem of a refused request. */
export const detailSchema = object({
  param: plainText().required().description('The field at fault, such as inputs[1].url.'),
  code: plainText().required(),
  message: plainText().required(),
}).meta({ component: 'ErrorDetail' });

/** Body of every refused request. */
export const errorSchema = object({
  error: object({
    type: codeWord(errorTypes).required(),
    code: codeWord(Object.keys(errorCodes)).required(),
    message: plainText()
      .required()
      .description('For people to read. Programs should check code instead.'),
    param: plainText()
      .allow(null)
      .required()
      .description('The first field at fault, if there is one.'),
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
