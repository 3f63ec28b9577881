/** Path of the team page. */
export const teamPath = '/settings/team';
/** Path of the page of a team's settings. */
export const settingsOfTeamPath = `${teamPath}/settings`;
/** Path of the page that tells who did what in a team. */
export const logPath = `${teamPath}/log`;
/** Path of the form that chooses the account to act for. */
export const actsForPath = '/settings/acts-for';
