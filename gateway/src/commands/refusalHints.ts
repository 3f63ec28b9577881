import type { Refusal } from '../domain/refusal.ts';
import type { RefusalCode } from '../domain/refusalCodes.ts';
import { describeRefusal } from '../texts/describeRefusal.ts';

/** Commands that help after a refusal. */
const hints: Partial<Record<RefusalCode, string>> = {
  keys_full: 'To find and revoke an unused key: key list --account A, then key revoke --key K',
  account_hosts_full:
    'To find and revoke an unused key: key list --account A, then key revoke --key K',
  account_not_found: 'To find the account: account find --email E',
  account_not_staff:
    'To create a staff account: account create --email E --staff viewer|support|admin',
  generations_unfinished: 'To stop new generations: account suspend --account A',
  operator_key_not_found: 'To list operator keys: operator-key list',
};

/** A refusal in words: every problem of a body, or a sentence, with a command where one helps. */
export function describeWithHint(refusal: Refusal): string {
  const { code, details } = refusal;
  if (code === 'invalid_request' && details.length > 0) {
    return details.map(({ param, message }) => `${param}: ${message}`).join(' ');
  }
  const hint = hints[code];
  return `${describeRefusal(refusal)}${hint === undefined ? '' : `\n${hint}`}`;
}
