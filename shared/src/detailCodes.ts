/** Codes of individual problems in `details`. */
export const detailCodes = [
  /** The field is missing. */
  'required',
  /** The field does not exist. */
  'unknown_field',
  /** The value has the wrong JSON type. */
  'invalid_type',
  /** The value is not allowed. */
  'invalid_value',
  'too_short',
  'too_long',
  'too_many',
  /** The number is too small or too large. */
  'out_of_range',
  /** The model does not offer this. */
  'not_supported',
  /** The field cannot be combined with another one. */
  'not_allowed',
] as const;
/** The code of one problem in `details`. */
export type DetailCode = (typeof detailCodes)[number];

/** A problem that the rules of requests found: parameter (such as `inputs[1].url`), kind and remedy. */
export interface Problem {
  param: string;
  code: DetailCode;
  message: string;
}
