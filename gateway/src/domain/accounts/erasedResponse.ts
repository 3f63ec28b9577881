/** The address of an erased account. */
export const erasedEmail = (accountId: string) => `${accountId}@erased.invalid`;

/** Whether an account is erased. */
export const isErased = ({ id, email }: { id: string; email: string }): boolean =>
  email === erasedEmail(id);

/**
 * A stored response of the operator API about an erased account, without its personal data.
 * @param body JSON of an object.
 */
export function erasedResponse(body: string, accountId: string): string {
  const response = JSON.parse(body) as object;
  const instead = {
    external_id: null,
    email: erasedEmail(accountId),
    prompt: '',
    name: 'erased',
    hosts: [],
  };
  const replacements = Object.entries(instead).filter(([field]) => field in response);
  return JSON.stringify({ ...response, ...Object.fromEntries(replacements) });
}
