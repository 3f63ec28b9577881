import { requireCurrentPassword } from '../../../application/site/changePassword.ts';
import { requireCode } from '../../../application/site/secondFactor.ts';
import { text } from '../../../texts/text.ts';
import { originOf } from '../../pages/context.ts';
import { html, type Html } from '../../pages/html.ts';
import { personOf } from './acting.ts';
import type { FormFields } from './fields.ts';
import { isFresh, type Site, type SiteContext } from './site.ts';

/** What a person has to enter for an act that outlives the session. */
interface ProofAsked {
  /** The password; a person without one needs a recent sign-in instead. */
  by: 'password' | 'sign-in';
  factor: boolean;
}

/** What the signed-in person has to enter. */
export async function askedOf({ deps }: Site, ctx: SiteContext): Promise<ProofAsked> {
  const { id, passwordHash } = personOf(ctx);
  return {
    by: passwordHash === null ? 'sign-in' : 'password',
    factor: (await deps.customerFactors.find(id)) !== null,
  };
}

/** Requires what `proofFields` ask for. @throws PlainRefusal for the field `current` or `code`. */
export async function requirePerson(site: Site, ctx: SiteContext): Promise<void> {
  const { deps } = site;
  const [person, { form }, from] = [personOf(ctx), ctx.state, originOf(ctx)];
  const { by, factor } = await askedOf(site, ctx);
  if (by === 'password' || !isFresh(ctx, deps.clock.now())) {
    await requireCurrentPassword(deps, person, form.get('current_password'), from);
  }
  if (factor) await requireCode(deps, person, { code: form.get('code'), door: 'settings', from });
}

/** The fields of a form that needs the person's proof. */
export function proofFields(ctx: SiteContext, asked: ProofAsked, fields: FormFields): Html {
  const { email } = personOf(ctx);
  return html`<input type="hidden" name="username" value="${email}" autocomplete="username" /> ${
      asked.by === 'password' &&
      fields.input('current_password', text('settings.yourPassword'), {
        errorName: 'current',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
      })
    }
    ${
      asked.factor &&
      fields.input('code', text('secondFactor.codeOrRecovery'), {
        value: '',
        autocomplete: 'one-time-code',
        maxlength: 40,
        required: true,
      })
    }`;
}
