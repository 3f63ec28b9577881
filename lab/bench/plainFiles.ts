import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';

/** The baseline for delivered files: Node's own server and one stream per request; no rules, no checks. */
const [file = '', port = '0'] = process.argv.slice(2);
const { size } = statSync(file);

createServer((request, response) => {
  const [, first = '0', last = String(size - 1)] =
    /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(first), Number(last)];
  response.writeHead(request.headers.range === undefined ? 200 : 206, {
    'content-type': 'video/mp4',
    'content-length': end - start + 1,
    'content-range': `bytes ${start}-${end}/${size}`,
  });
  createReadStream(file, { start, end }).pipe(response);
}).listen(Number(port), '127.0.0.1');
