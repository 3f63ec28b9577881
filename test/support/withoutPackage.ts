/**
 * Makes Node behave as if a package were not installed.
 * @returns NODE_OPTIONS for a process that then cannot find the package.
 */
export function withoutPackage(name: string): string {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (asked, context, next) =>
        // From the root of the file system there is no node_modules to search.
        next(asked, asked === '${name}' ? { ...context, parentURL: 'file:///' } : context),
    });`;
  return `--import=data:text/javascript,${encodeURIComponent(hook)}`;
}
