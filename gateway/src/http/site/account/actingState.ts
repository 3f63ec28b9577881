import type { TeamChoice } from '../../../application/site/team.ts';
import type { Account } from '../../../domain/account.ts';
import type { TeamRole } from '../../../domain/teamRoles.ts';

/** Request state about the person behind a session and the account for which they act. */
export interface ActingState {
  /** The person's own account; null if not signed in. */
  person: Account | null;
  /** The person's role in the account for which they act. */
  role: TeamRole;
  /** Other people's accounts for which the person can act. */
  teams: readonly TeamChoice[];
  /** Whether the person no longer belongs to the team for which the session acted. */
  hasLostTeam: boolean;
}

/** The state without a sign-in. */
export const actingForNobody: ActingState = {
  person: null,
  role: 'owner',
  teams: [],
  hasLostTeam: false,
};
