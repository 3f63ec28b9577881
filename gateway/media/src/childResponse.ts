import type { ManifestSigner } from './manifestSigner.ts';
import type {
  ChildResponse,
  FinishedNote,
  InspectedMedia,
  SignQuestion,
  SignReply,
} from './mediaTask.ts';

/**
 * The response in a child's output; null if there is none. Before its last line it may have noted that the result
 * is finished.
 */
export function parseResponse(text: string): ChildResponse | null {
  const lines = text.trimEnd().split('\n');
  const response = parseLine(lines.pop() ?? '');
  const isOne = response !== null && !('finished' in response) && !('claim' in response);
  return isOne && (lines.length === 0 || finishedIn(text)) ? response : null;
}

/** The finished result whose posters the child is drawing, or was when it ended; null if there is no such note. */
export function finishedIn(text: string): InspectedMedia | null {
  const [first = ''] = text.split('\n');
  const message = parseLine(first);
  return message && 'finished' in message ? message.finished : null;
}

function parseLine(line: string): ChildResponse | FinishedNote | SignQuestion | null {
  try {
    return JSON.parse(line) as ChildResponse | FinishedNote | SignQuestion;
  } catch {
    return null;
  }
}

/** The claim that a child wants signed; null for any other line. */
export function claimIn(line: string): Buffer | null {
  const message = parseLine(line);
  return message && 'claim' in message ? Buffer.from(message.claim, 'base64') : null;
}

/** Signs a claim, or gives the reason for refusing. */
export function replyTo(claim: Buffer, signer: ManifestSigner): SignReply {
  try {
    return { signature: signer.sign(claim).toString('base64') };
  } catch (error) {
    return { refused: String(error).slice(0, 200) };
  }
}
