/* Copied from integrations/zapier/src/flagWords.ts by "npm run generate": do not edit. */

/** Words for yes and no in mapped values, in lower case. */
export const flagWords: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  n: false,
  off: false,
  '0': false,
};
