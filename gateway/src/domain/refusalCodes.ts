import { errorEntry, type AnyErrorCode } from '@framegate/contract';

/** What is known about a refusal before its values. */
interface RefusalEntry {
  /** HTTP status of a page that shows it. */
  status: 400 | 403 | 404 | 409 | 413 | 429 | 503;
  /** The field at fault, as the operator API calls it. */
  param?: string;
}

/**
 * Codes of refusals that the contracts of the APIs do not publish: those of pages, of the console and of the command
 * line. Their words, with the values that they need, are the texts `refusals.<code>`.
 */
export const ownRefusals = {
  amount_not_whole: { status: 400, param: 'amount' },
  form_stale: { status: 403 },
  role_lacks_right: { status: 403 },
  sign_on_of_another: { status: 403 },
  key_name_too_long: { status: 400, param: 'name' },
  password_wrong: { status: 400, param: 'password' },
  factor_code_wrong: { status: 400, param: 'code' },
  factor_code_not_now: { status: 400, param: 'code' },
  email_invalid: { status: 400, param: 'email' },
  password_too_short: { status: 400, param: 'password' },
  password_too_long: { status: 400, param: 'password' },
  password_plain: { status: 400, param: 'password' },
  password_expected: { status: 400, param: 'password' },
  password_known: { status: 400, param: 'password' },
  amount_zero: { status: 400, param: 'amount' },
  amount_invalid: { status: 400, param: 'amount' },
  ledger_damaged: { status: 409 },
  account_changed: { status: 409 },
  account_of_staff: { status: 409 },
  account_not_staff: { status: 409 },
  generation_started: { status: 409 },
  trial_refused: { status: 409 },
  trial_differs: { status: 409 },
  trial_failed: { status: 409 },
  too_much_data: { status: 503 },
  operator_key_not_found: { status: 404 },
  scope_unknown: { status: 400, param: 'scopes' },
  scope_missing: { status: 400, param: 'scopes' },
  addresses_full: { status: 400, param: 'addresses' },
  address_range_invalid: { status: 400, param: 'addresses' },
  goodwill_too_much: { status: 409, param: 'amount' },
  support_amount_too_high: { status: 409, param: 'amount' },
  support_day_spent: { status: 409, param: 'amount' },
  host_not_requested: { status: 409, param: 'host' },
  erasure_forgotten: { status: 409 },
  erasure_not_waiting: { status: 409 },
  files_not_deleted: { status: 409 },
  mail_not_chosen: { status: 400, param: 'template' },
  mail_too_long: { status: 400, param: 'own' },
  result_not_failed: { status: 409 },
  result_deleted: { status: 409 },
  result_not_kept: { status: 409 },
  result_removed: { status: 409 },
  result_unreadable: { status: 409 },
  file_not_kept: { status: 404 },
  delivery_failed_often: { status: 409 },
  delivered_before: { status: 409 },
  delivery_account_closed: { status: 409 },
  charge_undecided: { status: 400, param: 'charge' },
  charge_missing: { status: 400, param: 'credits' },
  enrolment_over: { status: 409 },
  console_sign_in_wrong: { status: 400 },
  proof_missing: { status: 400 },
  passkey_missing: { status: 400, param: 'passkey' },
  passkey_unreadable: { status: 400, param: 'passkey' },
  passkey_unknown: { status: 400, param: 'passkey' },
  passkey_taken: { status: 400, param: 'passkey' },
  passkey_stale: { status: 400, param: 'passkey' },
  passkey_address: { status: 400, param: 'passkey' },
  passkey_site: { status: 400, param: 'passkey' },
  passkey_unverified: { status: 400, param: 'passkey' },
  passkey_counter: { status: 400, param: 'passkey' },
  passkey_invalid: { status: 400, param: 'passkey' },
  passkey_of_another: { status: 400, param: 'passkey' },
  passkey_unnamed: { status: 400, param: 'name' },
  passkeys_full: { status: 409 },
  passkey_too_late: { status: 409 },
  passkey_not_found: { status: 404 },
  passkey_only: { status: 409 },
  role_not_offered: { status: 400, param: 'role' },
  admin_role_kept: { status: 409 },
  nothing_chosen: { status: 400 },
  too_many_chosen: { status: 400 },
  download_not_waiting: { status: 409 },
  outcome_known: { status: 409 },
  task_not_confirmed: { status: 409, param: 'operation' },
  task_taken: { status: 409, param: 'operation' },
  task_missing: { status: 400, param: 'operation' },
  task_invalid: { status: 400, param: 'operation' },
  task_expected: { status: 400, param: 'operation' },
  operation_expected: { status: 400, param: 'operation' },
  operation_too_long: { status: 400, param: 'operation' },
  operation_for_admins: { status: 403, param: 'operation' },
  operation_not_json: { status: 400, param: 'operation' },
  resolved_before: { status: 409 },
  adjustment_too_high: { status: 409, param: 'adjustment' },
  adjusted_before: { status: 409, param: 'adjustment' },
  model_without_route: { status: 404, param: 'model' },
  hours_invalid: { status: 400, param: 'hours' },
  route_not_found: { status: 404 },
  form_sent_before: { status: 409 },
  outcome_unknown: { status: 503 },
  reason_missing: { status: 400, param: 'reason' },
  second_admin_needed: { status: 409, param: 'amount' },
  proposal_over: { status: 409 },
  proposal_own: { status: 409 },
  limit_missing: { status: 400 },
  account_id_not_typed: { status: 400, param: 'confirm' },
  job_without_generation: { status: 409 },
} as const satisfies Record<string, RefusalEntry>;

/** A code of `ownRefusals`. */
export type OwnRefusalCode = keyof typeof ownRefusals;

/** Any code of a refusal. */
export type RefusalCode = AnyErrorCode | OwnRefusalCode;

/** The field at fault, as the operator API calls it; undefined where no single one is. */
export function paramOf(code: RefusalCode): string | undefined {
  const entry: { status: number; param?: string } = isOwnCode(code)
    ? ownRefusals[code]
    : errorEntry(code);
  return entry.param;
}

/** Whether a code is one of `ownRefusals`. */
export function isOwnCode(code: RefusalCode): code is OwnRefusalCode {
  return code in ownRefusals;
}
