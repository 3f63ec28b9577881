import { createSignOnRequestStore } from '../adapters/mongo/signIn/signOnRequestStore.ts';
import type { SignOn } from '../application/ports/signOn.ts';
import type { CoreParts } from './core.ts';

/** Creates the sign-on by the operator's provider, and loads its package; null if none is configured. */
export async function composeSignOn({
  config,
  log,
  clock,
  mongo,
}: CoreParts): Promise<SignOn | null> {
  const { oidc } = config.signIn;
  if (oidc === null) return null;
  const { staffGroups, staffFactors } = oidc;
  const { createSignOnProvider } = await import('../adapters/oidc/provider.ts');
  const hasStaff = Object.values(staffGroups).some((groups) => groups.length > 0);
  return {
    provider: createSignOnProvider({ ...oidc, needsGroups: hasStaff }, { clock, log }),
    requests: createSignOnRequestStore(mongo.models),
    name: oidc.name,
    staff: hasStaff ? { groups: staffGroups, trustedMethods: staffFactors } : null,
  };
}
