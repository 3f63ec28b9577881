/** A mailed or revoked invitation, by address. Times in ms since the epoch. */
export interface SentInvitation {
  id: string;
  /** Time of the last email. */
  sentAt: number;
  /** Number of emails sent. */
  times: number;
  until: number;
  /** Links of the address that expire by then are refused; null if none was revoked. */
  revokedUntil: number | null;
  /** When the record may be deleted. */
  goneAt: number;
}

/** Mailed invitations; the links themselves are stored nowhere. */
export interface InvitationStore {
  /** The newest ones, at most `limit`. */
  listNewest(limit: number): Promise<SentInvitation[]>;
  find(email: string): Promise<SentInvitation | null>;
  recordSent(email: string, times: { nowMs: number; until: number }): Promise<void>;
  /** Revokes all links of the address that expire by `until`, mailed or not. */
  revoke(email: string, times: { nowMs: number; until: number }): Promise<void>;
}
