import { codeFor } from './mailbox.ts';
import type { Page, Visitor } from './visitor.ts';

/** A password that people of tests choose. */
export const password = 'correct horse battery';

/** Signs up, types the code from the email and chooses the password. @returns The next page. */
export async function signUpVerified(
  visitor: Visitor,
  dataDir: string,
  email: string,
  ownPassword = password,
): Promise<Page> {
  await visitor.get('/sign-up');
  const asked = await visitor.post('/sign-up', { email });
  const code = await codeFor(dataDir, email);
  return visitor.post(asked.path, {
    code: `${code.slice(0, 4)} ${code.slice(4)}`,
    password: ownPassword,
  });
}
