import type { GenerationOrder } from '../../domain/generations/order.ts';
import type { GenerationMoments, GenerationStatus } from '../../domain/generations/work.ts';
import type { Language } from '../../domain/text/language.ts';

/** An owner's choice of emails. */
export interface NoticeChoices {
  /** Kinds of email (`noticeKinds`) that the owner has turned on or off against their default. */
  changedKinds: string[];
  /** Balance below which an email is sent; 0 for none. */
  creditsBelow: number;
}

/** The choices of an owner who has made none. */
export const usualNotices: NoticeChoices = { changedKinds: [], creditsBelow: 0 };

/** The notices already sent to an account, so that none is sent twice. Times in ms since the epoch. */
export interface SentNotices {
  /** When the last email about ends was written; 0 before the first one. */
  endsAt: number;
  /** Whether the current low balance has been reported. */
  isLow: boolean;
  /** The latest expiry reported; 0 before the first one. */
  expiryAt: number;
  /** Files deleted before this time have been reported; 0 before the first email about them. */
  filesUntil: number;
}

/** An ended generation not yet reported to its owner. */
export interface NewEnd
  extends
    Pick<GenerationOrder, 'id' | 'type' | 'model' | 'prompt'>,
    GenerationStatus,
    Pick<GenerationMoments, 'endedAt'> {}

/** Files of an account that will be deleted. */
export interface FilesToDelete {
  accountId: string;
  count: number;
}

/** Owners' email choices, and the notices already sent. */
export interface NoticeStore {
  find(accountId: string): Promise<NoticeChoices & SentNotices & { language?: Language }>;
  /** @param nowMs Reporting of ends starts here if it was off. */
  choose(accountId: string, choices: NoticeChoices, nowMs: number): Promise<void>;
  /** Records the language of an account's emails. */
  setLanguage(accountId: string, language: Language): Promise<void>;
  record(accountId: string, sentNotices: Partial<SentNotices>): Promise<void>;
  /** Accounts that want emails about ends, in pages. */
  listWantingEnds(): AsyncIterable<string[]>;
  /** Accounts with a low-balance limit, in pages. */
  listWantingLow(): AsyncIterable<string[]>;
  /** Accounts whose next credits expire between these times, in pages. */
  listExpiring(fromMs: number, untilMs: number): AsyncIterable<string[]>;
  /** Accounts whose people may have to be reminded of the erasure that they asked for, in pages. */
  listToRemind(nowMs: number): AsyncIterable<string[]>;
  /**
   * Accounts with files that will be deleted within a day, in pages. Those of results made in the studio and of
   * favourites count: a program that makes results fetches them by itself. Whether a person has downloaded a file is
   * not known, since signed URLs are served without the database.
   * @param day.keptMs How long files are kept after the end of a result.
   */
  listFilesToDelete(day: {
    from: number;
    until: number;
    keptMs: number;
  }): AsyncIterable<FilesToDelete[]>;
  /** Ends not yet reported, oldest generations first, except those that the owner cancelled or deleted. */
  findNewEnds(accountId: string, limit: number, nowMs: number): Promise<NewEnd[]>;
  recordEnds(ids: readonly string[]): Promise<void>;
}
