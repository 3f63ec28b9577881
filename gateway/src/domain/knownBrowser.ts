import { createHmac } from 'node:crypto';
import { firstSecret } from './apiKey.ts';
import { equalInConstantTime } from './equalInConstantTime.ts';

/*
 * A browser that has signed in to an account keeps a mark of that: a random name, and our signature over
 * it and the account's address. It grants no access. It distinguishes the owner's browser from a stranger's where
 * failed sign-ins are counted, so that a stranger's failures do not lock the owner out.
 */

/** Marks that one browser keeps: those of the accounts that signed in there last. */
const maxMarks = 4;

const signatureOf = (email: string, name: string, secret: string) =>
  createHmac('sha256', secret).update(`browser ${email} ${name}`).digest('base64url');

/**
 * The name under which this browser is known to an account; null when it never signed in there.
 * @param marks What the browser keeps, as `addMark` made it.
 * @param secrets The first makes, all verify.
 */
export function knownAs(
  marks: string,
  email: string,
  secrets: readonly { secret: string }[],
): string | null {
  for (const mark of marks.split('.').slice(0, maxMarks)) {
    const [name = '', signature = ''] = mark.split('~');
    const isOurs = secrets.some(({ secret }) =>
      equalInConstantTime(signature, signatureOf(email, name, secret)),
    );
    if (isOurs) return name;
  }
  return null;
}

/** What a browser keeps once an account has signed in there, in place of that account's earlier mark. */
export function addMark(
  marks: string,
  email: string,
  name: string,
  secrets: readonly { secret: string }[],
): string {
  const others = marks
    .split('.')
    .filter((mark) => mark !== '' && knownAs(mark, email, secrets) === null);
  const mark = `${name}~${signatureOf(email, name, firstSecret(secrets).secret)}`;
  return [mark, ...others].slice(0, maxMarks).join('.');
}
