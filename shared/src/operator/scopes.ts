/** Permissions of an operator API key. Each operation requires one of them. */
export const operatorScopes = {
  'accounts:read': 'Find, list and read accounts and their members.',
  'accounts:write': 'Create accounts, suspend and resume them, set their limits and groups.',
  'emails:write':
    'Move an account to another address. Implies all that its customer may do: whoever reads the mailbox can sign in.',
  'members:write':
    'Add, change and remove members of teams. Implies all that an owner may do: it can make an account an owner.',
  'accounts:erase': 'Erase accounts for good.',
  'sign-in-links:write': 'Make links that sign customers in to the site.',
  'credits:read': 'Read balances, lots, plans and the ledger.',
  'credits:write': 'Grant and adjust credits; start, change and end plans.',
  'keys:read': 'Read API keys and their hosts; never the keys themselves.',
  'keys:write': 'Create, rotate and revoke API keys, approve input hosts.',
  'generations:read': 'Read generations and prices.',
  'generations:write': 'Create generations for customers, fail and refund them, take files down.',
  'events:read': 'Follow events: credits, plans, ends of generations, API keys and providers.',
  'reports:read': 'Read reports of usage, revenue, costs and margin.',
} as const satisfies Record<string, string>;

export type OperatorScope = keyof typeof operatorScopes;

/** All scopes, in the order of the documentation. */
export const operatorScopeNames = Object.keys(operatorScopes) as OperatorScope[];
