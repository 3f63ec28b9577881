import { isNearHost } from '../../domain/network/addresses.ts';
import { createGuardedConnector, resolveBySystem } from './guardedConnector.ts';

/** Our network rules for connections to providers. */
export const providerNetwork = {
  connectorFor: (policy: 'public' | 'any') =>
    createGuardedConnector({ policy, resolveHost: resolveBySystem }),
  isNearHost,
};
