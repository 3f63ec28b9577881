import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { date, type Html, html, richText } from '../../../pages/html.ts';
import { messageSummary } from '../fields.ts';
import { settingsPath } from '../settingsPaths.ts';
import type { Site, SiteContext } from '../site.ts';
import { prefixedProofFields } from './proofFields.ts';

/** Part of the Account page about linked sign-ins. */
export function signOnPart(
  { deps }: Site,
  ctx: SiteContext,
  {
    name,
    account,
    requiredProof,
    errors,
  }: {
    name: string;
    account: Account;
    requiredProof: RequiredProof;
    errors: FormErrors | undefined;
  },
): Html {
  const identities = account.identities ?? [];
  const problems = messageSummary(errors);
  const proof = prefixedProofFields(ctx, requiredProof, 'sign on ', errors);
  if (identities.length === 0) {
    return html`<h2>${name}</h2>
      ${problems}
      <p>${text('signOn.notLinked')}</p>
      <form action="${settingsPath}/link" method="post" class="card" novalidate>
        ${tokenField(ctx)} ${proof}
        <button class="button second">${text('signOn.linkNow', { name })}</button>
      </form>`;
  }
  const since = identities.map(({ linkedAt }) => date(linkedAt));
  return html`<h2>${name}</h2>
    ${problems}
    <p>${richText('signOn.linkedSince', { date: since[0] ?? '' })}</p>
    ${
      deps.signInWays === 'both' &&
      account.passwordHash !== null &&
      html`<form action="${settingsPath}/unlink" method="post" class="card" novalidate>
        ${tokenField(ctx)} ${proof}
        <button class="button second">${text('signOn.unlink', { name })}</button>
      </form>`
    }`;
}
