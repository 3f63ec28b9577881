import type { IncomingMessage, Server } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Ends a request whose body has not arrived in time as Node's own `requestTimeout` does, which stands for
 * all requests alike: there it is as long as an upload may take.
 * @param requestMs Counted from the end of the head.
 */
export function endSlowRequests(server: Server, requestMs: number): void {
  server.on('request', (req) => {
    if (req.complete) return;
    const timer = setTimeout(() => {
      const error = Object.assign(new Error('the body is late'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      if (!req.complete) server.emit('clientError', error, req.socket);
    }, requestMs).unref();
    timers.set(req, timer);
    req.once('close', () => clearTimeout(timer));
  });
}

/** Gives a request that brings files as long as an upload may take. */
export function allowSlowRequest(req: IncomingMessage): void {
  clearTimeout(timers.get(req));
}
