import type { NoticeChoices, Told } from '../../../application/ports/notices.ts';
import { languages, type Language } from '../../../domain/language.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, flag, text, time } from './schema.ts';

/** Owners' mail settings and the mails already sent, by account id; owners without a choice have the defaults. */
export const noticeSchema = documentSchema('notices', {
  _id: text,
  ends: flag,
  credits: flag,
  hosts: flag,
  keys: flag,
  signIns: flag,
  /** In credits. */
  creditsBelow: count,
  endsAt: time,
  isLow: flag,
  expiryAt: time,
  /** Language of the mails; absent where none was chosen. */
  language: { type: String, enum: languages, allowNull: false },
  /** Generations with older ids are not reported. */
  endsFrom: text,
})
  .index({ ends: 1, _id: 1 }, { name: 'ends', partialFilterExpression: { ends: true } })
  .index(
    { creditsBelow: 1, _id: 1 },
    { name: 'low', partialFilterExpression: { creditsBelow: { $gt: 0 } } },
  );

export const noticeCodec = codecOf<
  NoticeChoices & Told & { id: string; endsFrom: string; language?: Language }
>()(noticeSchema);
