import { describe, expect, test } from '@jest/globals';
import { operatorErrorCodes } from '@framegate/contract';
import { ownRefusals, paramOf, type RefusalCode } from '../domain/refusalCodes.ts';
import { catalogueOf } from './text.ts';

const codes: RefusalCode[] = [
  ...(Object.keys(ownRefusals) as (keyof typeof ownRefusals)[]),
  ...(Object.keys(operatorErrorCodes) as (keyof typeof operatorErrorCodes)[]),
];

/** Codes whose words speak of no single field: of what exists, of its state, or of the whole form. */
const withoutField: readonly RefusalCode[] = [
  'account_changed',
  'account_not_found',
  'account_not_staff',
  'account_of_staff',
  'address_not_allowed',
  'admin_role_kept',
  'console_sign_in_wrong',
  'delivered_before',
  'delivery_account_closed',
  'delivery_failed_often',
  'download_not_waiting',
  'email_not_verified',
  'enrolment_over',
  'erasure_forgotten',
  'erasure_not_found',
  'erasure_not_waiting',
  'feed_restored',
  'file_not_kept',
  'files_not_deleted',
  'form_sent_before',
  'form_stale',
  'generation_busy',
  'generation_ended',
  'generation_started',
  'generations_unfinished',
  'insufficient_scope',
  'job_not_found',
  'key_hosts_full',
  'key_not_found',
  'key_revoked',
  'keys_full',
  'ledger_damaged',
  'limit_missing',
  'member_not_found',
  'nothing_chosen',
  'operator_key_not_found',
  'outcome_known',
  'outcome_unknown',
  'output_not_found',
  'passkey_not_found',
  'passkey_only',
  'passkey_too_late',
  'passkeys_full',
  'plan_not_found',
  'plan_runs',
  'proof_missing',
  'proposal_over',
  'proposal_own',
  'resolved_before',
  'result_deleted',
  'result_not_failed',
  'result_not_kept',
  'result_removed',
  'result_unreadable',
  'role_lacks_right',
  'route_not_found',
  'sign_on_of_another',
  'too_many_chosen',
  'too_much_data',
  'trial_differs',
  'trial_failed',
  'trial_refused',
];

describe('the refusals', () => {
  test.each(['en', 'de'] as const)('have words in %s, which name no command', (language) => {
    const words = Object.entries(catalogueOf(language)).filter(([key]) =>
      key.startsWith('refusals.'),
    );
    for (const code of Object.keys(ownRefusals)) {
      expect(words.map(([key]) => key)).toContain(`refusals.${code}`);
    }
    expect(words.filter(([, text]) => /npm run admin| --\w/.test(text))).toEqual([]);
  });

  test('name the field at fault, or are known to have none', () => {
    expect(codes.filter((code) => paramOf(code) === undefined).toSorted()).toEqual(
      withoutField.toSorted(),
    );
  });
});
