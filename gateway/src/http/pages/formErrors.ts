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
  const problems = Object.entries(refusal.problems);
  return {
    fields: Object.fromEntries(problems.map(([field, each]) => [field, describeRefusal(each)])),
    message: problems.length === 0 ? describeRefusal(refusal) : '',
    status: statusOf(refusal),
  };
}
