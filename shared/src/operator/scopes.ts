interface ScopeEntry {
  /** Sentences for the documentation. */
  description: string;
  /** Further reach that follows from it; checked nowhere, because it takes effect elsewhere. */
  implies?: readonly string[];
}

/** The rights of an account's owner at the site. */
const ownerRights = [
  'members:write',
  'keys:read',
  'keys:write',
  'credits:read',
  'generations:read',
  'generations:write',
] as const;

/** Permissions of an operator API key. Each operation requires one of them. */
export const operatorScopes = {
  'accounts:read': { description: 'Find, list and read accounts and their members.' },
  'accounts:write': {
    description: 'Create, suspend and resume accounts; set their limits and groups.',
  },
  'emails:write': {
    description: "Change an account's email address; whoever reads the new inbox can sign in.",
    implies: ownerRights,
  },
  'members:write': {
    description: 'Add, change and remove team members, including owners.',
    implies: ownerRights.filter((scope) => scope !== 'members:write'),
  },
  'accounts:erase': {
    description: 'Erase accounts permanently, after one day or with a second key.',
  },
  'sign-in-links:write': {
    description: 'Create links that sign customers in to the site.',
    implies: ownerRights,
  },
  'credits:read': { description: 'Read balances, lots, plans and the ledger.' },
  'credits:write': { description: 'Grant and adjust credits; start, change and end plans.' },
  'keys:read': { description: 'Read API keys and their hosts; never the keys themselves.' },
  'keys:write': {
    description: 'Create, rotate and revoke API keys; approve input hosts.',
    implies: ['credits:read', 'generations:read', 'generations:write'],
  },
  'generations:read': { description: 'Read generations and prices.' },
  'generations:write': {
    description: 'Create, fail and refund generations for customers; take down files.',
    implies: ['generations:read'],
  },
  'events:read': {
    description: 'Follow events: credits, plans, ends of generations, API keys and providers.',
    implies: ['credits:read', 'generations:read'],
  },
  'reports:read': { description: 'Read reports of usage, revenue, costs and margin.' },
} as const satisfies Record<string, ScopeEntry>;

/** A permission of an operator API key. */
export type OperatorScope = keyof typeof operatorScopes;

/** All scopes, in the order of the documentation. */
export const operatorScopeNames = Object.keys(operatorScopes) as OperatorScope[];

/** The scopes implied by a scope. */
export function impliedScopes(scope: OperatorScope): readonly OperatorScope[] {
  const entry = operatorScopes[scope];
  return 'implies' in entry ? entry.implies : [];
}

/** A scope's rights and their consequences, in sentences. */
export function describeScope(scope: OperatorScope): string {
  const implied = impliedScopes(scope).map((each) => `\`${each}\``);
  const { description } = operatorScopes[scope];
  return implied.length === 0 ? description : `${description} Implies ${implied.join(', ')}.`;
}
