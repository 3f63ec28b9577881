import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';

/** A body as it is sent, with the headers that describe it. */
export interface SentBody {
  what: string;
  /** Absent if none is sent. */
  type?: string;
  coding?: string;
  bytes: Uint8Array;
  /** Whether it is sent in chunks, without a length. */
  isChunked?: boolean;
  /** Further lines of the head. */
  more?: string;
}

const formType = 'application/x-www-form-urlencoded';
const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const namesOf = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36));
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** Bytes of the largest JSON body, in one text. */
const jsonOf = (bytes: number) => `{"a":"${'a'.repeat(bytes - 8)}"}`;

/** 26,000 names. */
export const manyNames = JSON.stringify(
  Object.fromEntries(namesOf(26_000).map((name) => [name, 0])),
);

/** Bodies that readers disagree about, as JSON. */
export const jsonBodies: readonly SentBody[] = (
  [
    { what: 'plain', bytes: utf8('{"a":1}') },
    { what: 'no type', type: undefined, bytes: utf8('{"a":1}') },
    { what: 'text/plain', type: 'text/plain', bytes: utf8('{"a":1}') },
    { what: 'vendor JSON', type: 'application/vnd.api+json', bytes: utf8('{"a":1}') },
    { what: 'JSON patch', type: 'application/json-patch+json', bytes: utf8('{"a":1}') },
    { what: 'a form as JSON', type: 'application/x-www-form-urlencoded', bytes: utf8('a=1') },
    { what: 'UTF-8 by name', type: 'application/json; charset=UTF-8', bytes: utf8('{"a":"é"}') },
    { what: 'quoted utf8', type: 'Application/JSON ;charset="utf8" ', bytes: utf8('{"a":"é"}') },
    { what: 'half a quote', type: 'application/json; charset="utf-8', bytes: utf8('{"a":1}') },
    { what: 'a semicolon', type: 'application/json;', bytes: utf8('{"a":1}') },
    { what: 'latin1', type: 'application/json; charset=latin1', bytes: latin1('{"a":"é"}') },
    { what: 'unknown charset', type: 'application/json; charset=x-none', bytes: utf8('{"a":1}') },
    { what: 'a profile', type: 'application/json; profile=a', bytes: utf8('{"a":1}') },
    { what: 'empty', bytes: utf8('') },
    { what: 'empty chunks', isChunked: true, bytes: utf8('') },
    { what: 'white space', bytes: utf8(' \n') },
    { what: 'an array', bytes: utf8('[{"a":1}]') },
    { what: 'a number', bytes: utf8('1') },
    { what: 'a text', bytes: utf8('"a"') },
    { what: 'null', bytes: utf8('null') },
    { what: 'half an object', bytes: utf8('{"a":1') },
    { what: 'two objects', bytes: utf8('{"a":1}{"a":1}') },
    { what: 'a name twice', bytes: utf8('{"a":1,"a":2}') },
    { what: 'a name twice, escaped', bytes: utf8('{"a":1,"\\u0061":2}') },
    { what: 'a name twice below', bytes: utf8('{"b":[{"a":1,"a":1}]}') },
    { what: '__proto__', bytes: utf8('{"__proto__":{"a":1}}') },
    { what: '__proto__ below, escaped', bytes: utf8('{"b":[{"\\u005f_proto__":1}]}') },
    { what: 'constructor', bytes: utf8('{"constructor":{"prototype":{"a":1}}}') },
    { what: 'invalid UTF-8', bytes: latin1('{"a":"\xff"}') },
    { what: 'half a letter', bytes: latin1('{"a":"\xf0\x9f\x92"}') },
    { what: 'a surrogate in UTF-8', bytes: latin1('{"a":"\xed\xa0\x80"}') },
    { what: 'invalid UTF-8 in gzip', coding: 'gzip', bytes: gzipSync(latin1('{"a":"\xff"}')) },
    { what: 'a replacement character', bytes: utf8('{"a":"\ufffd"}') },
    { what: 'a BOM', bytes: utf8('\ufeff{"a":1}') },
    { what: 'two BOMs', bytes: utf8('\ufeff\ufeff{"a":1}') },
    { what: 'UTF-16', bytes: Buffer.from('{"a":1}', 'utf16le') },
    { what: 'a NUL', bytes: utf8('{"a":1}\0') },
    { what: '26,000 names', bytes: utf8(manyNames) },
    { what: '26,000 names in gzip', coding: 'gzip', bytes: gzipSync(manyNames) },
    { what: '32 levels', bytes: utf8(nested(32)) },
    { what: '33 levels', bytes: utf8(nested(33)) },
    { what: '100,000 levels', bytes: utf8('['.repeat(100_000)) },
    { what: 'the largest', bytes: utf8(jsonOf(256 * 1024)) },
    { what: 'over the limit', bytes: utf8(jsonOf(256 * 1024 + 1)) },
    { what: 'the largest, chunked', isChunked: true, bytes: utf8(jsonOf(256 * 1024)) },
    { what: 'over, chunked', isChunked: true, bytes: utf8(jsonOf(256 * 1024 + 1)) },
    { what: 'far over', bytes: utf8(jsonOf(3_000_000)) },
    { what: 'chunked', isChunked: true, bytes: utf8('{"a":1}') },
    { what: 'Expect', more: 'Expect: 100-continue\r\n', bytes: utf8('{"a":1}') },
    { what: 'Expect, too large', more: 'Expect: 100-continue\r\n', bytes: utf8(jsonOf(300_000)) },
    ...codings(utf8('{"a":1}'), gzipSync(jsonOf(50_000_000))),
  ] satisfies (Omit<SentBody, 'type'> & { type?: string | undefined })[]
).map((body) => typed(body, 'application/json'));

/** Bodies of forms, which take the fields `a` and so on. */
export const formBodies: readonly SentBody[] = (
  [
    { what: 'plain', bytes: utf8('a=1') },
    { what: 'no type', type: undefined, bytes: utf8('a=1') },
    { what: 'text/plain', type: 'text/plain', bytes: utf8('a=1') },
    { what: 'JSON as a form', type: 'application/json', bytes: utf8('{"a":1}') },
    { what: 'files', type: 'multipart/form-data; boundary=b', bytes: utf8('--b--\r\n') },
    { what: 'latin1', type: `${formType}; charset=latin1`, bytes: latin1('a=\xe9') },
    { what: 'unknown charset', type: `${formType}; charset=x-none`, bytes: utf8('a=1') },
    { what: 'half a parameter', type: `${formType}; charset`, bytes: utf8('a=1') },
    { what: 'empty', bytes: utf8('') },
    { what: 'empty chunks', isChunked: true, bytes: utf8('') },
    { what: 'a name twice', bytes: utf8('a=1&a=2') },
    { what: 'nested names', bytes: utf8('a[b]=1&a[c]=2&a.d=3&a[]=4') },
    {
      what: 'names of prototypes',
      bytes: utf8('__proto__=1&__proto__[a]=1&constructor[prototype][a]=1'),
    },
    { what: 'numbers as names', bytes: utf8('b=1&2=1&1=1') },
    { what: 'broken escapes', bytes: utf8('a=%&b=%zz&c=%e9&d=%C3%A9&e=1+1') },
    { what: 'invalid UTF-8', bytes: latin1('a=\xff\xf0\x9f\x92&\xe9=1') },
    { what: 'a BOM', bytes: utf8('\ufeffa=1') },
    { what: 'no names', bytes: utf8('&&=&=1&a') },
    { what: 'lines', bytes: utf8('a=1%0D%0A2%0A3') },
    {
      what: '201 names',
      bytes: utf8(
        namesOf(201)
          .map((name) => `${name}=`)
          .join('&'),
      ),
    },
    {
      what: '26,000 names',
      bytes: utf8(
        namesOf(26_000)
          .join('&')
          .slice(0, 128 * 1024),
      ),
    },
    { what: 'the largest', bytes: utf8(`a=${'a'.repeat(128 * 1024 - 2)}`) },
    { what: 'over the limit', bytes: utf8(`a=${'a'.repeat(128 * 1024 - 1)}`) },
    { what: 'over, chunked', isChunked: true, bytes: utf8(`a=${'a'.repeat(128 * 1024 - 1)}`) },
    { what: 'chunked', isChunked: true, bytes: utf8('a=1') },
    { what: 'Expect', more: 'Expect: 100-continue\r\n', bytes: utf8('a=1') },
    ...codings(utf8('a=1'), gzipSync('a'.repeat(50_000_000))),
  ] satisfies (Omit<SentBody, 'type'> & { type?: string | undefined })[]
).map((body) => typed(body, formType));

/** A body in every coding, right and wrong. */
function codings(bytes: Buffer, bomb: Buffer): SentBody[] {
  const gzip = gzipSync(bytes);
  const brotli = brotliCompressSync(bytes);
  return [
    { what: 'identity', coding: 'identity', bytes },
    { what: 'Identity', coding: 'Identity', bytes },
    { what: 'gzip', coding: 'gzip', bytes: gzip },
    { what: 'GZip', coding: 'GZip', bytes: gzip },
    { what: 'gzip, chunked', coding: 'gzip', isChunked: true, bytes: gzip },
    { what: 'deflate', coding: 'deflate', bytes: deflateSync(bytes) },
    { what: 'deflate without a head', coding: 'deflate', bytes: deflateRawSync(bytes) },
    { what: 'brotli', coding: 'br', bytes: brotli },
    { what: 'zstd', coding: 'zstd', bytes: zstdCompressSync(bytes) },
    { what: 'x-gzip', coding: 'x-gzip', bytes: gzip },
    { what: 'gzip twice', coding: 'gzip, gzip', bytes: gzipSync(gzip) },
    { what: 'a coding without a name', coding: '', bytes },
    { what: 'no gzip', coding: 'gzip', bytes },
    { what: 'broken gzip', coding: 'gzip', bytes: Buffer.concat([gzip.subarray(0, 10), bytes]) },
    { what: 'half of a gzip', coding: 'gzip', bytes: gzip.subarray(0, -9) },
    { what: 'more behind a gzip', coding: 'gzip', bytes: Buffer.concat([gzip, bytes]) },
    { what: 'an empty gzip', coding: 'gzip', bytes: Buffer.alloc(0) },
    { what: 'no brotli', coding: 'br', bytes },
    { what: 'half of a brotli', coding: 'br', bytes: brotli.subarray(0, -1) },
    { what: 'a gzip bomb', coding: 'gzip', bytes: bomb },
  ];
}

function typed(
  body: { type?: string | undefined } & Omit<SentBody, 'type'>,
  usual: string,
): SentBody {
  const { type, ...rest } = { type: usual, ...body };
  return type === undefined ? rest : { ...rest, type };
}

/** The bytes of a POST. @param head Further lines of its head, each with its end. */
export function postOf(path: string, head: string, body: SentBody): Buffer {
  const { type, coding, isChunked, more = '', bytes } = body;
  const lines = [
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${head}${more}`,
    type === undefined ? '' : `Content-Type: ${type}\r\n`,
    coding === undefined ? '' : `Content-Encoding: ${coding}\r\n`,
    isChunked ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${bytes.length}\r\n`,
  ];
  return Buffer.concat([utf8(`${lines.join('')}\r\n`), ...(isChunked ? chunksOf(bytes) : [bytes])]);
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const middle = bytes.length >> 1;
  const chunks = [bytes.subarray(0, middle), bytes.subarray(middle)].filter(
    ({ length }) => length > 0,
  );
  return [
    ...chunks.flatMap((chunk) => [utf8(`${chunk.length.toString(16)}\r\n`), chunk, utf8('\r\n')]),
    utf8('0\r\n\r\n'),
  ];
}
