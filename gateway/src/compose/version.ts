import manifest from '../../package.json' with { type: 'json' };

/** The running release, such as `1.4.0`. */
export const { version } = manifest;
