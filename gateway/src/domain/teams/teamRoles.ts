/** Roles of the people who act for an account. */
export const teamRoles = ['owner', 'editor', 'member', 'billing'] as const;
/** The role of a person in an account. */
export type TeamRole = (typeof teamRoles)[number];

const creating = ['owner', 'editor', 'member'] as const;
const tidying = ['owner', 'editor'] as const;

/**
 * Acts in an account, and the roles that may do them. The account's own person has the role of an owner. Password,
 * second factor, sessions and email choices are not acts in it: they belong to each person.
 */
export const teamActs = {
  /** Pictures, videos, parameters and states, in history and studio. */
  'see work': creating,
  'see prompts': creating,
  create: creating,
  /** Favourites, and adding to collections. */
  collect: creating,
  'change own collections': creating,
  'change all collections': tidying,
  /** Also allows cancelling waiting generations. */
  'delete own work': creating,
  'delete all work': tidying,
  /** Creating, viewing and revoking public links. */
  'publish own work': creating,
  'publish all work': tidying,
  'make own keys': creating,
  'manage all keys': ['owner'],
  /** The names of other people's keys, by which spending is broken down. */
  'see key names': ['owner', 'billing'],
  'see credits': ['owner', 'billing'],
  'see own place': teamRoles,
  /** Invitations, roles, limits and removals. */
  'manage people': ['owner'],
  /** Allows changing the team's name and its requirements for members. */
  'manage the team': ['owner'],
  'see the log': ['owner'],
} as const satisfies Record<string, readonly TeamRole[]>;

/** An act in an account, by its name. */
export type TeamAct = keyof typeof teamActs;

/** Acts on a person's own work, and the same acts on the work of others. */
const beyondOwn = {
  'change own collections': 'change all collections',
  'delete own work': 'delete all work',
  'publish own work': 'publish all work',
} as const satisfies Partial<Record<TeamAct, TeamAct>>;

/** An act whose rights depend on who made the thing. */
export type OwnAct = keyof typeof beyondOwn;

/** Whether a role may do this in the account. */
export function mayInTeam(role: TeamRole, act: TeamAct): boolean {
  const allowed: readonly TeamRole[] = teamActs[act];
  return allowed.includes(role);
}

/** Whether a role may do this to one thing. @param isOwn Whether the person made it. */
export function roleMayActOn(role: TeamRole, act: OwnAct, isOwn: boolean): boolean {
  return mayInTeam(role, isOwn ? act : beyondOwn[act]);
}
