import type { buildConnector } from 'undici';

/** Opens sockets for undici, and recognises requests that failed before they had one. */
export interface Connector {
  connect: buildConnector.connector;
  /** Whether this error means that DNS, TCP, TLS or the policy prevented the connection. */
  neverConnected: (error: unknown) => boolean;
}

/** The caller's network rules. */
export interface Network {
  /** Creates a connector to public addresses only, or to `any` if the operator allows that for a provider. */
  connectorFor: (policy: 'public' | 'any') => Connector;
  /** Whether a host's name, as written in a URL, identifies this machine or its local network. */
  isNearHost: (host: string) => boolean;
}
