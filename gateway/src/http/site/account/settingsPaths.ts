/** Path of the Account page. */
export const settingsPath = '/settings/account';
/** Path of the page of the second factor. */
export const factorPath = `${settingsPath}/second-factor`;
/** Path of the page on which a person downloads all data of their own account. */
export const exportPath = `${settingsPath}/export`;
/** Path of the page on which a person asks for the erasure of their own account. */
export const erasurePath = `${settingsPath}/erasure`;
/** Path of the page that lists every access to an account. */
export const accessPath = '/settings/access';
/** Path of the key pages. */
export const keysPath = '/settings/public-api';
/** Path of the team page. */
export const teamPath = '/settings/team';
/** Path of the page of a team's settings. */
export const teamSettingsPath = `${teamPath}/settings`;
/** Path of the page with the log of a team. */
export const teamLogPath = `${teamPath}/log`;
/** Path of the form that chooses the account to act for. */
export const actsForPath = '/settings/acts-for';
