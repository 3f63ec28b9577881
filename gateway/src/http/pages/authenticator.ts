import { renderSVG } from 'uqr';
import { text } from '../../texts/text.ts';
import { type Html, html } from './html.ts';

/**
 * A secret for an authenticator app, as QR code and as text in groups of four.
 * @param shown.secret The secret in base32.
 * @param shown.setupUrl The `otpauth:` URL.
 */
export function secretForApp({ secret, setupUrl }: { secret: string; setupUrl: string }): Html {
  const grouped = secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
  // Safe: the package draws squares from our own text.
  const picture: Html = { markup: renderSVG(setupUrl, { border: 2 }) };
  return html`<div class="qr" role="img" aria-label="${text('secondFactor.qrCode')}">
      ${picture}
    </div>
    <p>${text('secondFactor.scan')}</p>
    <p><code id="secret">${grouped}</code></p>`;
}
