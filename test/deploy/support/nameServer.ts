import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on this machine, like a platform's name server for its services. */
export interface NameServer {
  port: number;
  close(): Promise<void>;
}

const headBytes = 12;
/** A response, nothing wrong, recursion as asked for (RFC 1035 section 4.1.1). */
const flags = 0x8580;
const typeA = 1;
const classIn = 1;
/** Offset of the question's name, for a pointer to it. */
const nameOfQuestion = 0xc000 | headBytes;

/** Answers queries for the IPv4 addresses of any name with the current ones, without a lifetime. */
export async function startNameServer(addresses: () => readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const endOfName = query.indexOf(0, headBytes);
    const question = query.subarray(headBytes, endOfName + 5);
    const found = query.readUInt16BE(endOfName + 1) === typeA ? addresses() : [];
    const head = Buffer.alloc(headBytes);
    query.copy(head, 0, 0, 2);
    for (const [index, value] of [flags, 1, found.length].entries()) {
      head.writeUInt16BE(value, 2 + 2 * index);
    }
    socket.send(Buffer.concat([head, question, ...found.map(record)]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function record(address: string): Buffer {
  const bytes = address.split('.').map(Number);
  const made = Buffer.alloc(12 + bytes.length);
  // Name, type, class, seconds to live (two numbers), length.
  for (const [index, value] of [nameOfQuestion, typeA, classIn, 0, 0, bytes.length].entries()) {
    made.writeUInt16BE(value, 2 * index);
  }
  made.set(bytes, 12);
  return made;
}
