import { connect } from 'node:net';

/** A response, and the state of its connection. */
export interface KeptResponse {
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  body: string;
  /** Whether the next request on the connection is answered. */
  isKept: boolean;
}

/** Sends a request, waits for its response, then asks for `/healthz` on the same connection. */
export function askTwice(port: number, request: Uint8Array): Promise<KeptResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let first: Omit<KeptResponse, 'isKept'> | undefined;
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      text = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      if (first) return;
      const [response, rest] = takeResponse(text);
      if (!response) return;
      [first, text] = [response, rest];
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (first) resolve({ ...first, isKept: text.startsWith('HTTP/1.1 200 OK') });
      else reject(new Error(`no response: ${text}`));
    });
    socket.write(request);
  });
}

function takeResponse(text: string): [Omit<KeptResponse, 'isKept'> | undefined, string] {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return [undefined, text];
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = Number(headers['content-length']);
  if (Number.isNaN(length)) throw new Error(`a response without a length: ${text}`);
  const from = end + 4;
  if (text.length < from + length) return [undefined, text];
  const body = Buffer.from(text.slice(from, from + length), 'latin1').toString();
  return [{ status: Number(statusLine.split(' ')[1]), headers, body }, text.slice(from + length)];
}
