import { inputTypes } from '@framegate/contract';
import type { Upload } from '../../../domain/generations/uploads.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, oneOf, partSchema, text, textOrNull, time } from './schema.ts';

const sizeSchema = partSchema({ width: count, height: count });

/** Files uploaded to the studio. */
export const uploadSchema = documentSchema('uploads', {
  _id: text,
  accountId: text,
  type: oneOf(inputTypes),
  /** Key in the media store; null if only the preview is kept. */
  key: textOrNull,
  previewKey: textOrNull,
  bytes: count,
  source: textOrNull,
  /** Size in pixels. */
  size: { type: sizeSchema, default: null },
  /** Duration of a video or of sound. */
  seconds: { type: Number, default: null, min: 0 },
  createdAt: time,
  expiresAt: time,
  neededUntil: time,
  /** Ids of generations that still need to read it. */
  neededBy: { type: [String], default: undefined, allowNull: false },
})
  .index({ accountId: 1 }, { name: 'account' })
  .index({ expiresAt: 1 }, { name: 'expiry' });

export const uploadCodec = codecOf<Upload>()(uploadSchema);
