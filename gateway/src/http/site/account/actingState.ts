import type { TeamChoice } from '../../../application/teams/team.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import type { TeamRole } from '../../../domain/teams/teamRoles.ts';

/** Request state about the person of a session and the account that they act for. */
export interface ActingState {
  /** The person's own account; null if not signed in. */
  person: Account | null;
  /** The person's role in that account. */
  role: TeamRole;
  /** Other people's accounts that the person can act for. */
  teams: readonly TeamChoice[];
  /** Whether the person no longer belongs to the session's team. */
  hasLostTeam: boolean;
  /** Whether the account requires a second factor that the person does not have. */
  lacksFactor: boolean;
}

/** The state of a visitor. */
export const actingForNobody: ActingState = {
  person: null,
  role: 'owner',
  teams: [],
  hasLostTeam: false,
  lacksFactor: false,
};
