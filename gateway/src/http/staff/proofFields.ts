import type { App } from '../../application/app.ts';
import { challengeFor } from '../../application/staff/passkeys.ts';
import type { FactorForm } from '../../application/staff/signInStaff.ts';
import { type ChallengeUse, passkeyAlgorithms } from '../../domain/signIn/passkey.ts';
import { proofMs } from '../../domain/signIn/secondFactor.ts';
import { originOf } from '../pages/context.ts';
import { attributes, type Html, html } from '../pages/html.ts';
import type { StaffContext } from './context.ts';

/** The purpose of a challenge: a form by its path, in this session or, without one, this browser. */
const useOf = ({ state }: StaffContext, form: string): ChallengeUse => ({
  form,
  holder: state.session?.id ?? state.formSecret,
});

/** The factor that came with the submitted form. */
export function factorOf(ctx: StaffContext): FactorForm {
  const { form } = ctx.state;
  return {
    code: form.get('code'),
    passkey: form.get('passkey'),
    use: useOf(ctx, ctx.path),
    from: originOf(ctx),
  };
}

type ProofDeps = Pick<
  App,
  'brand' | 'clock' | 'consoleUrl' | 'random' | 'sessionKeys' | 'staffFactor'
>;

/** Options of the browser's `navigator.credentials`, as JSON; the same for every passkey here. */
const askedOf = (deps: ProofDeps, ctx: StaffContext, form: string) => ({
  challenge: Buffer.from(challengeFor(deps, useOf(ctx, form))).toString('base64url'),
  timeout: proofMs,
});

const siteOf = ({ consoleUrl }: ProofDeps) => new URL(consoleUrl).hostname;

/**
 * Fields for a proof of the person: a code of the app, or none, so that the script asks for a passkey when the form is
 * sent. Any passkey for this console may answer; the server knows whose it is.
 * @param form The path to which the form is sent.
 */
export function proofFields(ctx: StaffContext, deps: ProofDeps, form: string): Html {
  const options = {
    ...askedOf(deps, ctx, form),
    rpId: siteOf(deps),
    userVerification: 'required',
  };
  const code = html`<label
      >Code from your app
      <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="9"
    /></label>
    <p class="quiet only-script">Leave empty to use your passkey.</p>`;
  return html`${deps.staffFactor === 'any' ? code : noScript}
  ${passkeyField(deps, form, 'get', options)}`;
}

const noScript = html`<noscript><p>Passkeys need JavaScript.</p></noscript>`;

/** Field for a new passkey, which the browser creates at the request of the script when the form is sent. */
export function newPasskeyFields(
  ctx: StaffContext,
  deps: ProofDeps,
  form: string,
  { id, email, others }: { id: string; email: string; others: readonly string[] },
): Html {
  const user = { id: Buffer.from(id).toString('base64url'), name: email, displayName: email };
  const options = {
    ...askedOf(deps, ctx, form),
    rp: { id: siteOf(deps), name: `${deps.brand.name} staff` },
    user,
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ alg, type: 'public-key' })),
    excludeCredentials: others.map((each) => ({ id: each, type: 'public-key' })),
    // Browsers find it without the person's name, so that the sign-in page does not reveal who has one.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
  return html`${noScript} ${passkeyField(deps, form, 'create', options)}`;
}

function passkeyField(
  { consoleUrl }: ProofDeps,
  form: string,
  ask: 'get' | 'create',
  options: Readonly<Record<string, unknown>>,
): Html {
  const data = {
    'data-ask': ask,
    'data-form': form,
    'data-options': JSON.stringify(options),
    'data-url': consoleUrl,
  };
  return html`<input
      ${attributes({ type: 'hidden', name: 'passkey', autocomplete: 'off', ...data })}
    />
    <p class="notice danger" role="alert" tabindex="-1" hidden></p>`;
}
