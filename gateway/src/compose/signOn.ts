import { createSignOnRequestStore } from '../adapters/mongo/signOnRequestStore.ts';
import type { SignOn } from '../application/ports/signOn.ts';
import type { App } from './app.ts';

/** Creates the sign-on by the operator's provider, and loads its package; null if none is configured. */
export async function composeSignOn({ config, log, mongo }: App): Promise<SignOn | null> {
  const { oidc } = config.signIn;
  if (oidc === null) return null;
  const { adminGroups, supportGroups, staffFactors } = oidc;
  const { createSignOnProvider } = await import('../adapters/oidc/provider.ts');
  const hasStaff = adminGroups.length + supportGroups.length > 0;
  return {
    provider: createSignOnProvider({ ...oidc, needsGroups: hasStaff }, { clock: mongo.clock, log }),
    requests: createSignOnRequestStore(mongo.models),
    name: oidc.name,
    staff: hasStaff
      ? { groups: { admin: adminGroups, support: supportGroups }, trustedMethods: staffFactors }
      : null,
  };
}
