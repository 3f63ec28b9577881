/** Path of the team page. */
export const teamPath = '/settings/team';
/** Path of the form that chooses the account to act for. */
export const actsForPath = '/settings/acts-for';
