/** An invitation that was mailed or withdrawn, by its address. Times in ms since the epoch. */
export interface SentInvitation {
  /** The address. */
  id: string;
  /** The last mail. */
  sentAt: number;
  /** Mails that were sent. */
  times: number;
  until: number;
  /** Links of the address that end by then are not taken; null if none was withdrawn. */
  withdrawnUntil: number | null;
  /** When the record may go. */
  goneAt: number;
}

/** Invitations that were mailed: links themselves are stored nowhere. */
export interface InvitationStore {
  /** The newest, and at most `limit`. */
  newest(limit: number): Promise<SentInvitation[]>;
  find(email: string): Promise<SentInvitation | null>;
  noteSent(email: string, times: { nowMs: number; until: number }): Promise<void>;
  /** Withdraws all links of the address that end by `until`, mailed or not. */
  withdraw(email: string, times: { nowMs: number; until: number }): Promise<void>;
}
