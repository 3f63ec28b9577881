import type { AnyErrorCode } from '@framegate/contract';

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
  sign_in_wrong: { status: 400 },
  sign_in_link_refused: { status: 403 },
  sign_in_late: { status: 403 },
  tried_too_often: { status: 429 },
  export_runs: { status: 429 },
  email_invalid: { status: 400, param: 'email' },
  sign_up_closed: { status: 403 },
  invitation_wrong: { status: 400 },
  email_taken: { status: 400, param: 'email' },
  code_missing: { status: 400 },
  code_wrong: { status: 400 },
  code_over: { status: 400 },
  password_too_short: { status: 400, param: 'password' },
  password_too_long: { status: 400, param: 'password' },
  password_plain: { status: 400, param: 'password' },
  password_expected: { status: 400, param: 'password' },
  password_known: { status: 400, param: 'password' },
  account_gone: { status: 400 },
  no_own_password: { status: 400 },
  password_wrong: { status: 400 },
  proof_mailed: { status: 400 },
  proof_code_over: { status: 400 },
  factor_code_wrong: { status: 400 },
  factor_code_not_now: { status: 400 },
  factor_on_already: { status: 400 },
  factor_off_already: { status: 400 },
  factor_needed: { status: 403 },
  keys_need_factor: { status: 400 },
  address_same: { status: 400 },
  address_kept: { status: 403 },
  address_code_over: { status: 400 },
  erasure_too_late: { status: 400 },
  erasure_of_staff: { status: 403 },
  sign_on_of_another: { status: 403 },
  sign_on_too_many: { status: 400 },
  sign_on_only_way: { status: 403 },
  sign_on_none: { status: 403 },
  sign_on_stale: { status: 403 },
  sign_on_down: { status: 503 },
  sign_on_cancelled: { status: 403 },
  sign_on_unverifiable: { status: 403 },
  sign_on_link_again: { status: 403 },
  sign_on_not_of_staff: { status: 403 },
  sign_on_email_taken: { status: 403 },
  sign_on_email_missing: { status: 403 },
  sign_on_email_unverified: { status: 403 },
  sign_on_no_sign_up: { status: 403 },
  sign_on_account_unverified: { status: 403 },
  sign_on_recovering: { status: 403 },
  sign_on_no_role: { status: 403 },
  sign_on_suspended: { status: 403 },
  team_owners_only: { status: 403 },
  team_role_missing: { status: 400 },
  team_has_person: { status: 400 },
  team_full: { status: 400 },
  team_invitations_full: { status: 400 },
  team_invitation_over: { status: 403 },
  team_invitation_of_another: { status: 403 },
  team_owner_stays: { status: 400 },
  team_person_gone: { status: 400 },
  teams_full: { status: 403 },
  team_name_invalid: { status: 400 },
  team_factor_first: { status: 400 },
  team_addresses_too_many: { status: 400 },
  team_lost: { status: 403 },
  team_not_yours: { status: 403 },
  team_needs_factor: { status: 403 },
  team_role_may_not_do: { status: 403 },
  team_role_may_not_see: { status: 403 },
  key_of_another: { status: 403 },
  work_of_another: { status: 403 },
  key_not_found: { status: 404 },
  key_models_missing: { status: 400, param: 'models' },
  key_made_long_ago: { status: 400 },
  keys_full: { status: 400 },
  key_hosts_full: { status: 400 },
  host_missing: { status: 400 },
  key_hosts_too_many: { status: 400 },
  key_name_missing: { status: 400, param: 'name' },
  key_name_too_long: { status: 400, param: 'name' },
  host_invalid: { status: 400 },
  key_needs_factor: { status: 400 },
  credits_limit_invalid: { status: 400 },
  key_revoked: { status: 400 },
  key_maker_left: { status: 403 },
  file_no_answer: { status: 400 },
  frame_too_large: { status: 400 },
  first_frame_unreadable: { status: 400 },
  last_frame_unreadable: { status: 400 },
  file_gone: { status: 400 },
  file_too_large: { status: 413 },
  file_too_slow: { status: 400 },
  files_busy: { status: 503 },
  file_invalid: { status: 400 },
  file_of_wrong_kind: { status: 400 },
  picture_too_large: { status: 400 },
  upload_replaced: { status: 429 },
  upload_too_slow: { status: 429 },
  uploads_full: { status: 429 },
  files_signed_out: { status: 403 },
  no_files_to_share: { status: 400 },
  share_gone: { status: 404 },
  collection_gone: { status: 400 },
  collections_full: { status: 400 },
  collection_missing: { status: 400 },
  collection_name_too_long: { status: 400 },
  price_not_shown: { status: 400 },
  form_too_long: { status: 413 },
  form_unreadable: { status: 400 },
  form_parts_too_many: { status: 400 },
  form_text_too_long: { status: 400 },
  form_too_large: { status: 413 },
  form_field_missing: { status: 400 },
  form_of_other_site: { status: 400 },
  limit_invalid: { status: 400 },
  day_invalid: { status: 400 },
  amount_not_whole: { status: 400 },
  form_stale: { status: 403 },
  role_lacks_right: { status: 403 },
} as const satisfies Record<string, RefusalEntry>;

/** A code of `ownRefusals`. */
export type OwnRefusalCode = keyof typeof ownRefusals;

/** Any code of a refusal. */
export type RefusalCode = AnyErrorCode | OwnRefusalCode;

/** The field at fault, as the operator API calls it; undefined where no single one is. */
export function paramOf(code: OwnRefusalCode): string | undefined {
  const entry: RefusalEntry = ownRefusals[code];
  return entry.param;
}

/** Whether a code is one of `ownRefusals`. */
export function isOwnCode(code: RefusalCode): code is OwnRefusalCode {
  return code in ownRefusals;
}
