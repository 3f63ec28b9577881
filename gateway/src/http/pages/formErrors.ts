import type { Refusal } from '../../domain/refusal.ts';
import { describeRefusal } from '../../texts/describeRefusal.ts';
import { statusOf } from '../respondToErrors.ts';

/** Error messages of a form: by field, and for the whole form. */
export interface FormErrors {
  fields: Readonly<Record<string, string>>;
  message: string;
  /** HTTP status of the page that shows it. */
  status?: number;
}

/** A refusal in the words of the page that shows it. */
export function formErrors(refusal: Refusal): Required<FormErrors> {
  const all = refusal.problems.length === 0 ? [refusal] : refusal.problems;
  const ofFields = all.flatMap((each) =>
    each.param === undefined ? [] : [[each.param, each] as const],
  );
  const message = all
    .filter(({ param }) => param === undefined)
    .map(describeRefusal)
    .join(' ');
  return {
    fields: Object.fromEntries(ofFields.map(([field, each]) => [field, describeRefusal(each)])),
    message,
    status: statusOf(refusal),
  };
}
