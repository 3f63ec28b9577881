/** Permissions of a key of the operator API. Each operation needs one of these. */
export const operatorScopes = {
  'accounts:read': 'Find, list and read accounts.',
  'accounts:write': 'Create accounts, suspend and resume them, set their limits.',
  'credits:read': 'Read balances, lots and the ledger.',
  'credits:write': 'Grant and adjust credits.',
} as const satisfies Record<string, string>;

export type OperatorScope = keyof typeof operatorScopes;

/** All scopes, in the order of the documentation. */
export const operatorScopeNames = Object.keys(operatorScopes) as OperatorScope[];
