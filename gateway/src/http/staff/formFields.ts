import type { Random } from '../../application/ports/system.ts';
import { html, type Html } from '../pages/html.ts';

/** Field for the reason of an action, at least three characters, which the audit log keeps. */
export function reasonField(value = ''): Html {
  return html`<label
    >Reason, for the audit log
    <input name="reason" value="${value}" maxlength="500" minlength="3" autocomplete="off" required
  /></label>`;
}

/** Hidden field with a random id that lets a form take effect only once. */
export function formIdField(random: Pick<Random, 'bytes'>): Html {
  const id = Buffer.from(random.bytes(15)).toString('base64url');
  return html`<input type="hidden" name="form_id" value="${id}" />`;
}
