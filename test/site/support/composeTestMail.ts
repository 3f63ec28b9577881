import { createMailComposer } from '../../../gateway/src/adapters/mail/composeMail.ts';
import { builtInBrand } from '../../../gateway/src/domain/brand/brand.ts';

/** Composes emails of a gateway that the test does not start. */
export const composeTestMail = createMailComposer({
  accountUrl: 'https://site.example',
  consoleUrl: 'https://console.example',
  support: null,
  brand: builtInBrand,
});
