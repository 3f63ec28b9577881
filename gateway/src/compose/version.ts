import manifest from '../../package.json' with { type: 'json' };

/** The release that runs, such as `1.4.0`. */
export const { version } = manifest;
