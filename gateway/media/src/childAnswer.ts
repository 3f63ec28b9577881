import type { ManifestSigner } from './manifestSigner.ts';
import type { ChildAnswer, SignQuestion, SignReply } from './mediaTask.ts';

/** The answer of a child; null if it is none. */
export function parseAnswer(text: string): ChildAnswer | null {
  try {
    return JSON.parse(text) as ChildAnswer;
  } catch {
    return null;
  }
}

/** The claim that a child asks to have signed; null if it says something else. */
export function claimIn(line: string): Buffer | null {
  const said = parseAnswer(line) as SignQuestion | ChildAnswer | null;
  return said && 'claim' in said ? Buffer.from(said.claim, 'base64') : null;
}

/** Signs a claim, or tells why not. */
export function replyTo(claim: Buffer, signer: ManifestSigner): SignReply {
  try {
    return { signature: signer.sign(claim).toString('base64') };
  } catch (error) {
    return { refused: String(error).slice(0, 200) };
  }
}
