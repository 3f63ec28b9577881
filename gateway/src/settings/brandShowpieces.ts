import Joi from 'joi';
import { didYouMean, messageOf } from '@framegate/contract';
import {
  parseShownFile,
  type ShownMedia,
  type Showpiece,
  showpieceLimits,
} from '../domain/brand/showpiece.ts';
import type { Report } from '../domain/installation/fileProblems.ts';
import { jsonObject } from '../domain/installation/jsonObject.ts';

/** An entry of `showpieces` in BRAND_FILE: each medium is an https URL or the path of a file. */
interface ShowpieceJson {
  model: string;
  picture: string;
  clip?: string;
}

/** A host that a Content-Security-Policy can name. */
const plainHost = /^[\w.-]+$/;

const medium = () =>
  Joi.string()
    .max(4096)
    .custom((value: string, helpers) => {
      if (!value.includes('://')) return value;
      const url = URL.parse(value);
      const isUrl = url?.protocol === 'https:' && plainHost.test(url.hostname);
      return isUrl ? url.href : helpers.error('medium');
    })
    .messages({ medium: 'is neither the path of a file nor an https address' });

/** The form of `showpieces`. */
export const showpiecesSchema = () =>
  Joi.array()
    .items(
      Joi.object<ShowpieceJson>({
        model: Joi.string().max(200).required(),
        picture: medium().required(),
        clip: medium(),
      }),
    )
    .unique('model', { ignoreUndefined: true })
    .max(showpieceLimits.count)
    .messages({
      'array.max': 'has more than {#limit} entries',
      'array.unique': 'has the same model as showpieces[{#dupePos}]',
    });

/**
 * Reads the files of showpieces.
 * @param json The list, with problems of form already reported.
 * @param parts.isValid Whether a part of the list has no problem of form.
 * @param parts.models Ids of the catalogue; null if unknown.
 * @param parts.readFile Throws an Error that completes "it …".
 */
export function readShowpieces(
  json: unknown,
  parts: {
    models: readonly string[] | null;
    readFile: (path: string, maxBytes: number) => Uint8Array;
    isValid: (index: number, field: keyof ShowpieceJson) => boolean;
    report: Report;
  },
): Showpiece[] {
  const { models, readFile, isValid: isSound, report } = parts;
  const { bytes: maxBytes, totalBytes } = showpieceLimits;
  let bytes = 0;
  const read = (index: number, field: 'picture' | 'clip', named: unknown): ShownMedia | null => {
    if (typeof named !== 'string' || !isSound(index, field)) return null;
    if (/^https:\/\//i.test(named)) return named;
    try {
      const file = parseShownFile(field, readFile(named, maxBytes[field]));
      bytes += file.bytes.length;
      return file;
    } catch (error) {
      report([index, field], `is "${named}": it ${messageOf(error)}`);
      return null;
    }
  };
  const list = (Array.isArray(json) ? json : []).slice(0, showpieceLimits.count);
  const showpieces = list.flatMap((each: unknown, index): Showpiece[] => {
    if (bytes > totalBytes) return [];
    const { model, picture, clip } = jsonObject(each);
    if (typeof model !== 'string') return [];
    if (models?.includes(model) === false && isSound(index, 'model')) {
      report([index, 'model'], `is "${model}", which is not a model${didYouMean(model, models)}`);
    }
    const still = read(index, 'picture', picture);
    const moving = read(index, 'clip', clip);
    return still ? [{ model, picture: still, clip: moving }] : [];
  });
  if (bytes > totalBytes) {
    report([], `names files with more than ${totalBytes} bytes: host clips elsewhere`);
  }
  return showpieces;
}
