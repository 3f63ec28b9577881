import { version } from '../../gateway/src/compose/version.ts';
import { clientPackages } from '../../gateway/src/http/site/clients/clientPackages.ts';

/**
 * Names that a customer may read whatever the operator's product is called: packages and their commands, headers,
 * variables, and the host of the sample pictures of a trial gateway.
 */
const allowed = [
  ...Object.values(clientPackages).flatMap(({ files }) => files(version)),
  'framegate login',
  'framegate mcp',
  'FRAMEGATE_BASE_URL',
  'FRAMEGATE_OPERATOR_KEY',
  'FRAMEGATE_OPERATOR_URL',
  '@framegate/client',
  'n8n-nodes-framegate.framegate',
  'n8n-nodes-framegate',
  // The name under which n8n lists the package's credential.
  'Framegate API</em>',
  'Framegate API</strong>',
  '**Framegate API**',
  "label: 'Framegate API'",
  // Code that uses the packages.
  'import { Framegate } from',
  'new Framegate(',
  'const framegate =',
  'await framegate.',
  'from framegate import Framegate',
  'client = Framegate(',
  'Framegate-Max-Credits',
  'FRAMEGATE_KEY',
  'FRAMEGATE_URL',
  'samples.framegate.example',
];

/** Passages of a text in which a customer would read the built-in name. */
export function leftNames(text: string): string[] {
  let rest = text;
  for (const each of allowed) rest = rest.replaceAll(each, '');
  return [...rest.matchAll(/.{0,40}framegate.{0,40}/gi)].map(([passage]) => passage);
}
