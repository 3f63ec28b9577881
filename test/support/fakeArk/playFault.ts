import type { ServerResponse } from 'node:http';
import type { Fault } from './script.ts';

/** Answers in JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with an error in ModelArk's form. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  const error = { code, message: `${message} Request id: 0217`, param: '', type: 'Error' };
  sendJson(response, status, { error }, headers);
}

/**
 * Plays a fault that ends the exchange; the server plays `slow` and `accept, then`.
 * @param cutType The media type of a truncated response.
 */
export function playFault(
  response: ServerResponse,
  fault: Exclude<Fault, { kind: 'accept, then' | 'slow' }>,
  cutType = 'application/json',
): void {
  switch (fault.kind) {
    case 'error': {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      const { status, code, message = 'The request failed.' } = fault;
      sendError(response, status, code, message, headers);
      return;
    }
    case 'html':
      response.writeHead(fault.status, { 'content-type': 'text/html' });
      response.end('<html><body><h1>Bad Gateway</h1></body></html>');
      return;
    case 'json':
      sendJson(response, fault.status, fault.body);
      return;
    case 'empty':
      response.writeHead(fault.status).end();
      return;
    case 'drop':
      response.socket?.destroy();
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': cutType, 'content-length': '4096' });
      response.write('{"id": "cgt-', () => response.socket?.destroy());
      return;
    case 'hang':
      return;
    case 'endless':
      sendEndless(response);
      return;
    case 'redirect':
      response.writeHead(302, { location: fault.to }).end();
  }
}

/** Sends zeros until the other side stops reading. */
function sendEndless(response: ServerResponse): void {
  const zeros = Buffer.alloc(1024 * 1024);
  response.writeHead(200, { 'content-type': 'video/mp4' });
  const more = () => {
    while (!response.destroyed && response.write(zeros));
  };
  response.on('drain', more);
  response.on('error', () => undefined);
  more();
}
