import type { NoticeChoices, SentNotices } from '../../../application/ports/notices.ts';
import { type Language, languages } from '../../../domain/text/language.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, flag, text, time } from './schema.ts';

/** Owners' email settings and the emails already sent, by account id; owners without a choice have the defaults. */
export const noticeSchema = documentSchema('notices', {
  _id: text,
  /** Kinds of email that are on although they are off by default, or the reverse. */
  changedKinds: { type: [String], required: true },
  /** Limit in credits. */
  creditsBelow: count,
  endsAt: time,
  isLow: flag,
  expiryAt: time,
  filesUntil: time,
  /** Language of the emails; absent where none was chosen. */
  language: { type: String, enum: languages, allowNull: false },
  /** Generations with older ids are not reported. */
  endsFrom: text,
})
  .index({ changedKinds: 1, _id: 1 }, { name: 'changedKinds' })
  .index(
    { creditsBelow: 1, _id: 1 },
    { name: 'low', partialFilterExpression: { creditsBelow: { $gt: 0 } } },
  );

export const noticeCodec = codecOf<
  NoticeChoices & SentNotices & { id: string; endsFrom: string; language?: Language }
>()(noticeSchema);
