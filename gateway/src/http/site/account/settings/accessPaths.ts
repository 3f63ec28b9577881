/** Path of the page that lists what opens an account. */
export const accessPath = '/settings/access';
