import type { Generation } from '../../domain/generation.ts';
import type { Language } from '../../domain/language.ts';

/** Mails that an owner can turn on and off, in display order. */
export const noticeKinds = ['ends', 'credits', 'hosts', 'keys', 'signIns'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** An owner's choice of mails. */
export type NoticeChoices = Record<NoticeKind, boolean> & {
  /** Credits below which the balance is low; 0 for no mail about that. */
  creditsBelow: number;
};

/** The choice of an owner who has made none: what may be a stranger's doing or costs credits is told. */
export const usualNotices: NoticeChoices = {
  ends: false,
  credits: true,
  hosts: true,
  keys: true,
  signIns: true,
  creditsBelow: 0,
};

/** Notices sent to an account, so that none is sent twice. Times in ms since the epoch. */
export interface Told {
  /** When the last mail about ends was written; 0 before the first one. */
  endsAt: number;
  /** Whether the low balance was told since it was last above the limit. */
  isLow: boolean;
  /** The latest expiry that was told; 0 before the first one. */
  expiryAt: number;
}

/** An ended generation that its owner has not been told of. */
export type NewEnd = Pick<
  Generation,
  'id' | 'type' | 'model' | 'prompt' | 'status' | 'failure' | 'endedAt'
>;

/** Owners' choices of mails, and what was told. */
export interface NoticeStore {
  find(accountId: string): Promise<NoticeChoices & Told & { language?: Language }>;
  /** @param nowMs Ends are told from then on, where they were not before. */
  choose(accountId: string, choices: NoticeChoices, nowMs: number): Promise<void>;
  /** Records the language of an account's mails. */
  speak(accountId: string, language: Language): Promise<void>;
  note(accountId: string, told: Partial<Told>): Promise<void>;
  /** Accounts that want mails about ends, in pages. */
  wantEnds(): AsyncIterable<string[]>;
  /** Accounts with a limit below which their balance is low, in pages. */
  wantLow(): AsyncIterable<string[]>;
  /** Accounts whose next credits expire between these times, in pages. */
  expiring(from: number, until: number): AsyncIterable<string[]>;
  /** Ends that were not told, oldest generations first; those that the owner cancelled or deleted are left out. */
  newEnds(accountId: string, limit: number, nowMs: number): Promise<NewEnd[]>;
  noteEnds(ids: readonly string[]): Promise<void>;
}
