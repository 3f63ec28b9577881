import { registerHooks } from 'node:module';

/*
 * Denies network access to this process's JavaScript, because Node's permission model covers it only from Node 25.
 * Neither restricts native code.
 */

const denied = /^node:(net|tls|http|https|http2|dgram|dns|dns\/promises|inspector|_.*)$/;

registerHooks({
  resolve(specifier, context, next) {
    const resolution = next(specifier, context);
    if (denied.test(resolution.url)) throw new Error(`${resolution.url} is not for this process`);
    return resolution;
  },
});
for (const name of ['fetch', 'WebSocket', 'EventSource'] as const) {
  Reflect.deleteProperty(globalThis, name);
}
Reflect.deleteProperty(process, 'getBuiltinModule');
