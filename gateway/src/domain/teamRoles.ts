/** Roles of the people who act for an account. */
export const teamRoles = ['owner', 'member', 'billing'] as const;
export type TeamRole = (typeof teamRoles)[number];

/**
 * Roles allowed per right. The account's own person has the role of an owner. Password, second factor, sessions and
 * mail choices need no right: they belong to each person.
 */
export const teamRights = {
  'see work': ['owner', 'member'],
  create: ['owner', 'member'],
  'make own keys': ['owner', 'member'],
  'manage all keys': ['owner'],
  'see credits': ['owner', 'billing'],
  'manage people': ['owner'],
} as const satisfies Record<string, readonly TeamRole[]>;

export type TeamRight = keyof typeof teamRights;

export function mayInTeam(role: TeamRole, right: TeamRight): boolean {
  const allowed: readonly TeamRole[] = teamRights[right];
  return allowed.includes(role);
}
