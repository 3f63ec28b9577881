import { createHmac } from 'node:crypto';
import { equalInConstantTime, firstSecret } from '../accounts/apiKey.ts';

/*
 * A browser that has signed in to an account keeps a mark: a random name, and our signature over the name and the
 * account's address. A mark grants no access. It distinguishes the owner's browser from a stranger's when failed
 * sign-ins are counted, so a stranger's failures do not lock the owner out.
 */

/** Marks per browser, for the accounts that signed in most recently. */
const maxMarks = 4;

const signatureOf = (email: string, name: string, secret: string) =>
  createHmac('sha256', secret).update(`browser ${email} ${name}`).digest('base64url');

/**
 * The account's name for this browser; null if it never signed in there.
 * @param marks The browser's marks, as returned by `addMark`.
 * @param secrets The first makes, all verify.
 */
export function nameOnBrowser(
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

/** The browser's marks after an account has signed in, replacing that account's earlier mark. */
export function addMark(
  marks: string,
  email: string,
  name: string,
  secrets: readonly { secret: string }[],
): string {
  const others = marks
    .split('.')
    .filter((mark) => mark !== '' && nameOnBrowser(mark, email, secrets) === null);
  const mark = `${name}~${signatureOf(email, name, firstSecret(secrets).secret)}`;
  return [mark, ...others].slice(0, maxMarks).join('.');
}
