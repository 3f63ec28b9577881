import { Refusal } from '../../domain/refusal.ts';
import { maxTeamNameCharacters, parseTeamName } from '../../domain/teams/teamName.ts';
import type { App } from '../app.ts';
import { changePeople, type TeamCommand } from './team.ts';

/** Names a team. @param command.name As typed; empty for none. @throws Refusal */
export async function setTeamName(
  deps: Pick<App, 'database'>,
  command: TeamCommand & { name: string },
): Promise<void> {
  const teamName = parseTeamName(command.name);
  if (teamName === null) {
    throw new Refusal('team_name_invalid', { values: { max: maxTeamNameCharacters } });
  }
  await changePeople(deps, command, (account) => ({ ...account, teamName }), 'manage the team');
}

/**
 * Turns the team's second-factor requirement on or off.
 * @throws Refusal for an owner without one, who would be shut out.
 */
export async function setTeamNeedsFactor(
  deps: Pick<App, 'database' | 'customerFactors'>,
  command: TeamCommand & { teamNeedsFactor: boolean },
): Promise<void> {
  const { teamNeedsFactor } = command;
  if (teamNeedsFactor && (await deps.customerFactors.find(command.by.id)) === null) {
    throw new Refusal('owner_needs_factor');
  }
  await changePeople(
    deps,
    command,
    (account) => ({ ...account, teamNeedsFactor }),
    'manage the team',
  );
}
