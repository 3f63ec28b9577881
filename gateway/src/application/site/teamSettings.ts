import { PlainRefusal } from '../../domain/refusal.ts';
import { parseTeamName, teamNameCharacters } from '../../domain/teamName.ts';
import { text } from '../../texts/text.ts';
import type { App } from '../app.ts';
import { changePeople, type TeamCommand } from './team.ts';

/** Names a team. @param command.name As typed; empty for none. @throws PlainRefusal */
export async function nameTeam(
  deps: Pick<App, 'database'>,
  command: TeamCommand & { name: string },
): Promise<void> {
  const teamName = parseTeamName(command.name);
  if (teamName === null) {
    throw new PlainRefusal({ name: text('team.nameProblem', { most: teamNameCharacters }) });
  }
  await changePeople(deps, command, (account) => ({ ...account, teamName }), 'manage the team');
}

/**
 * Requires a second factor of everybody who acts in the team, or no longer.
 * @throws PlainRefusal for an owner without one, who would be shut out.
 */
export async function requireFactor(
  deps: Pick<App, 'database' | 'customerFactors'>,
  command: TeamCommand & { teamNeedsFactor: boolean },
): Promise<void> {
  const { teamNeedsFactor } = command;
  if (teamNeedsFactor && (await deps.customerFactors.find(command.by.id)) === null) {
    throw new PlainRefusal(text('team.factorFirst'));
  }
  await changePeople(
    deps,
    command,
    (account) => ({ ...account, teamNeedsFactor }),
    'manage the team',
  );
}
