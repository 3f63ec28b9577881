/* Values known only at build time; build.js rewrites this file in dist. */

/** Version of the app, from package.json. */
export const appVersion: string = '0.0.0';

/** The base URL proposed by the connection form, such as `https://api.example.com/v1`, or ''. */
export const defaultBaseUrl: string = '';
