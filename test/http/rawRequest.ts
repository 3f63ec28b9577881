import { connect } from 'node:net';

/** A response as it came over the wire. */
export interface RawResponse {
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends bytes as they are and reads until the server closes the connection, so that requests which no
 * HTTP client would make can be tested. Responses beyond the first stay in the first one's body.
 */
export function rawRequest(port: number, bytes: string | Uint8Array): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(parseResponse(Buffer.concat(received).toString('latin1')));
    });
    socket.write(bytes);
  });
}

function parseResponse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  };
}
