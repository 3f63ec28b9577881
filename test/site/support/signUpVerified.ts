import { codeFor } from './mailbox.ts';
import type { Page, Visitor } from './visitor.ts';

/** Signs up and types the code from the mail. @returns the page behind. */
export async function signUpVerified(
  visitor: Visitor,
  dataDir: string,
  email: string,
  password: string,
): Promise<Page> {
  await visitor.get('/sign-up');
  const asked = await visitor.post('/sign-up', { email, password });
  const code = await codeFor(dataDir, email);
  return visitor.post(asked.path, { code: `${code.slice(0, 4)} ${code.slice(4)}` });
}
