import { AdminProblem } from '../../application/admin/adminProblem.ts';
import type { Form } from '../site/account/form.ts';

/** A whole number of a form. @throws AdminProblem when it is none. */
export function readNumber(form: Form, name: string): number {
  const text = form.get(name).trim();
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new AdminProblem(`"${text}" is not a whole number.`);
  return number;
}

/** A whole number from `min`; undefined when the field is empty. @throws AdminProblem otherwise. */
export function readLimit(form: Form, name: string, min: number): number | undefined {
  if (form.get(name).trim() === '') return undefined;
  const number = readNumber(form, name);
  if (number < min || number > 1_000_000_000) {
    throw new AdminProblem(`A limit is a whole number from ${min} to 1,000,000,000.`);
  }
  return number;
}

/** The end of a day as a moment, UTC; null when the field is empty. @throws AdminProblem when it is none. */
export function readDay(form: Form, name: string): number | null {
  const text = form.get(name).trim();
  if (text === '') return null;
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : NaN;
  if (Number.isNaN(moment)) throw new AdminProblem(`"${text}" is not a day.`);
  return moment;
}
