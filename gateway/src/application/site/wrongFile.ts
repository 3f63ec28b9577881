import { needsCodecs, type WrongFile } from '@framegate/contract/fileKinds';
import { text } from '../../texts/text.ts';

/** The sentence about a file of the wrong kind, in the current language. */
export function wrongFileInWords({ is, wanted }: WrongFile): string {
  return text('files.isWrong', {
    is: text(`files.${is}`),
    accepted: text('files.accepted', { wanted: needsCodecs(is) ? `${wanted}_codecs` : wanted }),
  });
}
