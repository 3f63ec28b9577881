import type { TinyServer } from './tinyServer.ts';

/** The entry of an API that a server of a test speaks. */
export const describedAt = ({ origin, host }: TinyServer, more: object) => ({
  kind: 'http',
  baseURL: origin,
  mediaHosts: [host],
  allowPrivateNetwork: true,
  ...more,
});

/** Work by tasks, in a form that no vendor has. */
export const taskWork = {
  submit: { path: '/orders' },
  taskId: '/id',
  poll: { path: '/tasks/{id}' },
  states: { at: '/state', pending: ['wait'], completed: ['done'], failed: ['bad'] },
  files: { addresses: '/files/*' },
};
