// Plain JavaScript on purpose: an older Node cannot even read the TypeScript.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Whether the running Node is older than `engines` in package.json. */
export const isNodeTooOld = major < 22 || (major === 22 && minor < 19);
