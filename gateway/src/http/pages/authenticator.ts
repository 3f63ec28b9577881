import { renderSVG } from 'uqr';
import { html, type Html } from './html.ts';

/**
 * A secret for an authenticator app: a picture of its address, and the secret in groups for those who type it.
 * @param shown.secret In base32. @param shown.address The `otpauth:` address.
 */
export function secretForApp({ secret, address }: { secret: string; address: string }): Html {
  const grouped = secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
  // Made from our own text by the package, in squares and numbers only.
  const picture: Html = { markup: renderSVG(address, { border: 2 }) };
  return html`<div class="qr" role="img" aria-label="Picture for an authenticator app">
      ${picture}
    </div>
    <p>Scan the picture with an authenticator app, or type its secret:</p>
    <p><code id="secret">${grouped}</code></p>`;
}
