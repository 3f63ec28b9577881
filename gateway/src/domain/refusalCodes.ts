import { type AnyErrorCode, errorEntry } from '@framegate/contract';

/** The fixed part of a refusal. */
interface RefusalEntry {
  /** HTTP status of a page that shows it. */
  status: 400 | 403 | 404 | 409 | 410 | 413 | 429 | 503;
  /** The field at fault; null if there is no single one. Omitted where each use names its own. */
  param?: string | null;
}

/**
 * Codes of refusals that the contracts of the APIs do not publish: those of pages, of the console and of the command
 * line. Their texts, with the values that they need, are `refusals.<code>`. The status is the remedy:
 *
 * - 400: enter something else. `_missing` (nothing was entered), `_invalid` (no such value is ever accepted),
 *   `_too_short`, `_too_long` and `_too_many` name the field at fault; `_wrong` is a secret or a word to repeat.
 * - 403: ask someone with the right, or sign in otherwise. `_of_another`, `_of_staff`, `_lacks_right`, `_needs_factor`.
 * - 404: `_not_found`.
 * - 409: the state of something stored is in the way; change that first. `_full` (as many as there may be), `_too_high`
 *   (an amount), `_taken` (in use elsewhere), `_already` (done before), `_not_verified`, `_too_late`, `_runs`.
 * - 410: begin again. `_expired`: a link, code or form whose time is over, or that was used or replaced.
 * - 413: send less. `_too_large`.
 * - 429: wait and repeat it. `_too_often`.
 * - 503: not the caller's fault; wait and repeat it.
 */
export const internalRefusals = {
  sign_in_wrong: { status: 400, param: null },
  sign_in_link_refused: { status: 403, param: null },
  sign_in_expired: { status: 410, param: null },
  tried_too_often: { status: 429, param: null },
  export_runs: { status: 409, param: null },
  email_invalid: { status: 400, param: 'email' },
  sign_up_closed: { status: 403, param: null },
  invitation_wrong: { status: 400, param: 'email' },
  code_missing: { status: 400 },
  code_wrong: { status: 400 },
  code_expired: { status: 410, param: null },
  password_too_short: { status: 400, param: 'password' },
  password_too_long: { status: 400, param: 'password' },
  password_plain: { status: 400, param: 'password' },
  password_guessable: { status: 400, param: 'password' },
  password_known: { status: 400, param: 'password' },
  password_not_set: { status: 409, param: 'current' },
  password_wrong: { status: 400 },
  proof_emailed: { status: 400, param: 'current' },
  proof_code_expired: { status: 410, param: 'current' },
  factor_code_wrong: { status: 400, param: 'code' },
  factor_setup_code_wrong: { status: 400, param: 'code' },
  factor_on_already: { status: 409, param: null },
  factor_off_already: { status: 409, param: null },
  account_needs_factor: { status: 403, param: null },
  factor_in_use: { status: 409, param: null },
  email_same: { status: 400, param: 'email' },
  email_protected: { status: 403, param: null },
  email_code_expired: { status: 410, param: null },
  erasure_too_late: { status: 409, param: null },
  erasure_of_staff: { status: 403, param: null },
  sign_on_of_another: { status: 403, param: null },
  sign_ons_full: { status: 409, param: null },
  sign_on_only: { status: 409, param: null },
  sign_on_not_found: { status: 404, param: null },
  sign_on_expired: { status: 410, param: null },
  sign_on_down: { status: 503, param: null },
  sign_on_cancelled: { status: 403, param: null },
  sign_on_unverifiable: { status: 403, param: null },
  sign_on_signed_out: { status: 403, param: null },
  sign_on_off_for_staff: { status: 403, param: null },
  sign_on_email_taken: { status: 409, param: null },
  sign_on_without_email: { status: 403, param: null },
  sign_on_email_not_verified: { status: 409, param: null },
  sign_on_no_sign_up: { status: 403, param: null },
  sign_on_account_not_verified: { status: 409, param: null },
  sign_on_recovering: { status: 403, param: null },
  sign_on_no_role: { status: 403, param: null },
  sign_on_suspended: { status: 403, param: null },
  team_owners_only: { status: 403, param: null },
  team_role_missing: { status: 400, param: 'role' },
  team_member_already: { status: 409, param: null },
  team_invitations_full: { status: 409, param: null },
  team_invitation_expired: { status: 410, param: null },
  team_invitation_of_another: { status: 403, param: null },
  team_member_not_found: { status: 404, param: null },
  teams_full: { status: 409, param: null },
  team_name_invalid: { status: 400, param: 'name' },
  owner_needs_factor: { status: 403, param: null },
  team_emails_too_many: { status: 400, param: 'email' },
  team_lost: { status: 403, param: null },
  team_not_yours: { status: 403, param: null },
  team_needs_factor: { status: 403, param: null },
  team_role_lacks_right: { status: 403, param: null },
  team_role_lacks_page: { status: 403, param: null },
  key_of_another: { status: 403, param: null },
  work_of_another: { status: 403, param: null },
  key_models_missing: { status: 400, param: 'models' },
  key_made_already: { status: 409, param: null },
  host_missing: { status: 400, param: 'host' },
  key_name_too_long: { status: 400, param: 'name' },
  key_needs_factor: { status: 403, param: null },
  credits_limit_invalid: { status: 400 },
  key_maker_left: { status: 403, param: null },
  file_unreachable: { status: 400, param: null },
  frame_too_large: { status: 413, param: null },
  first_frame_unreadable: { status: 400, param: null },
  last_frame_unreadable: { status: 400, param: null },
  file_not_found: { status: 404, param: null },
  file_too_large: { status: 413, param: null },
  file_too_slow: { status: 400, param: null },
  files_busy: { status: 503, param: null },
  file_unusable: { status: 400, param: null },
  file_of_wrong_kind: { status: 400, param: null },
  picture_too_large: { status: 413, param: null },
  upload_replaced: { status: 409, param: null },
  upload_too_slow: { status: 400, param: null },
  uploads_full: { status: 409, param: null },
  files_signed_out: { status: 403, param: null },
  shared_files_not_found: { status: 404, param: null },
  share_not_found: { status: 404, param: null },
  collection_not_found: { status: 404, param: null },
  collections_full: { status: 409, param: null },
  collection_missing: { status: 400, param: 'name' },
  collection_name_too_long: { status: 400, param: 'name' },
  price_changed: { status: 409, param: null },
  form_text_too_large: { status: 413, param: null },
  form_unreadable: { status: 400, param: null },
  archive_too_large: { status: 413, param: null },
  form_too_large: { status: 413, param: null },
  form_field_missing: { status: 400 },
  form_of_another_site: { status: 403, param: null },
  limit_invalid: { status: 400 },
  day_invalid: { status: 400 },
  month_invalid: { status: 400 },
  number_invalid: { status: 400 },
  form_refused: { status: 403, param: null },
  role_lacks_right: { status: 403, param: null },
  amount_zero: { status: 400, param: 'amount' },
  amount_invalid: { status: 400, param: 'amount' },
  ledger_damaged: { status: 409, param: null },
  account_changed: { status: 409, param: null },
  account_of_staff: { status: 403, param: null },
  account_not_staff: { status: 409, param: null },
  generation_started: { status: 409, param: null },
  test_order_rejected: { status: 409, param: null },
  test_order_differs: { status: 409, param: null },
  test_order_failed: { status: 409, param: null },
  too_much_data: { status: 503, param: null },
  operator_key_not_found: { status: 404, param: null },
  scope_invalid: { status: 400, param: 'scopes' },
  scope_missing: { status: 400, param: 'scopes' },
  addresses_too_many: { status: 400, param: 'addresses' },
  address_range_invalid: { status: 400, param: 'addresses' },
  goodwill_not_found: { status: 404, param: null },
  goodwill_spent: { status: 409, param: null },
  goodwill_too_late: { status: 409, param: null },
  goodwill_too_high: { status: 409, param: 'amount' },
  support_amount_too_high: { status: 409, param: 'amount' },
  support_day_full: { status: 409, param: 'amount' },
  host_not_requested: { status: 409, param: 'host' },
  erasure_record_not_found: { status: 404, param: null },
  erasure_not_waiting: { status: 409, param: null },
  credit_request_not_open: { status: 409, param: null },
  files_not_deleted: { status: 409, param: null },
  reply_missing: { status: 400, param: 'own' },
  email_template_missing: { status: 400, param: 'template' },
  reply_too_long: { status: 400, param: 'own' },
  result_not_failed: { status: 409, param: null },
  result_deleted: { status: 409, param: null },
  result_not_kept: { status: 409, param: null },
  result_removed: { status: 409, param: null },
  result_undeliverable: { status: 409, param: null },
  refused_file_not_found: { status: 404, param: null },
  delivery_failed_often: { status: 409, param: null },
  delivered_already: { status: 409, param: null },
  delivery_account_closed: { status: 409, param: null },
  charge_missing: { status: 400, param: 'charge' },
  charge_credits_missing: { status: 400, param: 'credits' },
  enrolment_expired: { status: 410, param: null },
  console_sign_in_wrong: { status: 400, param: null },
  proof_missing: { status: 400, param: 'code' },
  passkey_missing: { status: 400, param: 'passkey' },
  passkey_unreadable: { status: 400, param: 'passkey' },
  passkey_unregistered: { status: 400, param: 'passkey' },
  passkey_taken: { status: 409, param: 'passkey' },
  passkey_expired: { status: 410, param: 'passkey' },
  passkey_origin: { status: 400, param: 'passkey' },
  passkey_site: { status: 400, param: 'passkey' },
  passkey_unconfirmed: { status: 400, param: 'passkey' },
  passkey_counter: { status: 400, param: 'passkey' },
  passkey_invalid: { status: 400, param: 'passkey' },
  passkey_of_another: { status: 403, param: 'passkey' },
  passkey_name_missing: { status: 400, param: 'name' },
  passkeys_full: { status: 409, param: null },
  passkey_too_late: { status: 409, param: null },
  passkey_not_found: { status: 404, param: null },
  passkey_only: { status: 409, param: null },
  role_invalid: { status: 400, param: 'role' },
  admin_role_protected: { status: 403, param: null },
  choice_missing: { status: 400 },
  choice_too_many: { status: 400 },
  download_not_waiting: { status: 409, param: null },
  outcome_known: { status: 409, param: null },
  task_not_confirmed: { status: 409, param: 'operation' },
  task_taken: { status: 409, param: 'operation' },
  task_missing: { status: 400, param: 'operation' },
  task_invalid: { status: 400, param: 'operation' },
  task_expected: { status: 400, param: 'operation' },
  operation_expected: { status: 400, param: 'operation' },
  operation_too_long: { status: 400, param: 'operation' },
  operation_for_admins: { status: 403, param: 'operation' },
  operation_invalid: { status: 400, param: 'operation' },
  resolved_already: { status: 409, param: null },
  adjustment_too_high: { status: 409, param: 'adjustment' },
  adjusted_already: { status: 409, param: 'adjustment' },
  model_route_not_found: { status: 404, param: 'model' },
  hours_invalid: { status: 400, param: 'hours' },
  route_not_found: { status: 404, param: null },
  form_sent_already: { status: 409, param: null },
  booking_unknown: { status: 503, param: null },
  reason_missing: { status: 400, param: 'reason' },
  second_admin_needed: { status: 409, param: 'amount' },
  proposal_expired: { status: 410, param: null },
  proposal_own: { status: 409, param: null },
  limit_missing: { status: 400, param: 'limits' },
  account_id_wrong: { status: 400, param: 'confirm' },
  job_not_found: { status: 404, param: null },
} as const satisfies Record<string, RefusalEntry>;

/** A code of `internalRefusals`. */
export type InternalRefusalCode = keyof typeof internalRefusals;

/** A code with a field at fault that each use names. */
export type FieldRefusalCode = {
  [Code in InternalRefusalCode]: (typeof internalRefusals)[Code] extends { param: unknown }
    ? never
    : Code;
}[InternalRefusalCode];

/** Any code of a refusal. */
export type RefusalCode = AnyErrorCode | InternalRefusalCode;

/** The field at fault, as the operator API calls it; undefined where no single one is. */
export function paramOf(code: RefusalCode): string | undefined {
  const internal: Readonly<Record<InternalRefusalCode, RefusalEntry>> = internalRefusals;
  const entry = isInternalCode(code) ? internal[code] : errorEntry(code);
  return entry.param ?? undefined;
}

/** Whether a code is one of `internalRefusals`. */
export function isInternalCode(code: RefusalCode): code is InternalRefusalCode {
  return code in internalRefusals;
}
