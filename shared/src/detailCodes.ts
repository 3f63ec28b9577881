/** Codes of the single problems in `details`. */
export const detailCodes = [
  /** The field is missing. */
  'required',
  /** There is no such field. */
  'unknown_field',
  /** The value has the wrong JSON type. */
  'invalid_type',
  /** The value is none of the allowed ones. */
  'invalid_value',
  'too_short',
  'too_long',
  'too_many',
  /** The number is too small or too large. */
  'out_of_range',
  /** The model does not offer this. */
  'not_supported',
  /** The field does not go together with another one. */
  'not_allowed',
] as const;
export type DetailCode = (typeof detailCodes)[number];
