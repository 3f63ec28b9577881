import { createSignOnRequestStore } from '../adapters/mongo/signOnRequestStore.ts';
import { createSignOnProvider } from '../adapters/oidc/provider.ts';
import type { SignOn } from '../application/ports/signOn.ts';
import type { App } from './app.ts';

/** Creates the sign-on by the operator's provider; null if none is configured. */
export function composeSignOn({ config, log, mongo }: App): SignOn | null {
  const { oidc } = config.signIn;
  if (oidc === null) return null;
  const { adminGroups, supportGroups, staffFactors } = oidc;
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
