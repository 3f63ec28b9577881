import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createBrotliDecompress } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errorCodes, failureCodes } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import { type Html, html } from '../../gateway/src/http/pages/html.ts';
import { operationsOf } from '../../gateway/src/http/site/docs/apiDocument.ts';
import { markdown } from '../../gateway/src/http/site/docs/elements.ts';
import { projectRoot } from '../support/runNode.ts';
import { startTestServer, type TestServer } from './startTestServer.ts';

const openApi = buildOpenApi({ baseUrl: 'https://api.test/v1' });
let server: TestServer;
let docs: string;
beforeAll(async () => {
  server = await startTestServer({ app: { openApi: () => openApi } });
  docs = await (await fetch(`${server.url}/docs`)).text();
});
afterAll(() => server.stop());

describe('pages', () => {
  test.each(['/', '/docs'])(
    '%s loads nothing from other hosts, and may be cached',
    async (path) => {
      const response = await fetch(server.url + path);
      const csp = response.headers.get('content-security-policy');
      expect(csp).toContain("default-src 'none'");
      expect(csp).not.toContain('unsafe');
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const page = await response.text();
      expect(page).not.toMatch(/<script>|style=|\son\w+=|src="http|href="http/);
      const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
      expect((await fetch(server.url + path, { headers })).status).toBe(304);
    },
  );

  test('the font is small, and cached for a year under its own address', async () => {
    const style = await (await fetch(`${server.url}/site/site.css`)).text();
    const path = /url\('([^']+\.woff2)'\)/.exec(style)?.[1] ?? '';
    const response = await fetch(server.url + path);
    expect(response.headers.get('content-type')).toBe('font/woff2');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(50_000);
    expect(style).toContain('font-display: optional');
  });

  test('programs find the files that they request automatically: the icon, and the rules for search engines', async () => {
    const icon = await fetch(`${server.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
    const robots = await fetch(`${server.url}/robots.txt`);
    expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect((await robots.text()).split('\n')).toEqual([
      ...['User-agent: *', 'Disallow: /v1/', 'Disallow: /mcp', 'Disallow: /media/'],
      ...['Disallow: /staff', ''],
    ]);
  });

  test('the style sheets stay within 1,500 lines together', async () => {
    const folder = join(projectRoot, 'gateway/src/http/pages/assets');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.css'));
    const sheets = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    expect(names).toContain('base.css');
    expect(sheets.join('').split('\n').length - 1).toBeLessThanOrEqual(1_500);
  });

  test('every address in them resolves', async () => {
    const home = await (await fetch(`${server.url}/`)).text();
    const addresses = [...`${home}${docs}`.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(
      ([, to]) => to,
    );
    expect(new Set(addresses)).toContain('/docs');
    for (const address of new Set(addresses)) {
      expect((await fetch(`${server.url}${address}`)).status).toBe(200);
    }
    const ids = [...docs.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = [...docs.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
  });
});

describe('compression', () => {
  const get = (encoding: string) =>
    fetch(`${server.url}/docs`, { headers: { 'accept-encoding': encoding } });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
    ['br;q=0, gzip;q=0', null],
  ])('%s is answered in %s, by an ETag of its own', async (accepted, encoding) => {
    const response = await get(accepted);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.text()).toBe(docs);
    const etag = response.headers.get('etag') ?? '';
    const again = (to: string) =>
      fetch(`${server.url}/docs`, { headers: { 'accept-encoding': to, 'if-none-match': etag } });
    expect((await again(accepted)).status).toBe(304);
    expect((await again(encoding === 'gzip' ? 'br' : 'gzip')).status).toBe(200);
  });

  /** First paint on a slow line: the page with its style and the script, as they are sent. */
  test('the documentation has at most 24 kB, and its first kilobytes hold the style and the first section', async () => {
    const { port } = new URL(server.url);
    const sizeOf = async (path: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      request({ port, path, headers: { 'accept-encoding': 'br' } }, (response) => {
        buffer(response).then(resolve, reject);
      }).end();
      return promise;
    };
    const [page, script] = await Promise.all([sizeOf('/docs'), sizeOf('/site/docs.js')]);
    expect(page.length + script.length).toBeLessThanOrEqual(24_000);
    // The bytes that a connection sends before the first acknowledgement (RFC 6928: ten segments).
    const first = await firstPart(page.subarray(0, 10 * 1460));
    expect(first).toContain('id="quick-start"');
  });

  /** The text that the first bytes of a compressed one come to. */
  async function firstPart(bytes: Buffer): Promise<string> {
    const stream = createBrotliDecompress();
    stream.on('error', () => undefined);
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.write(bytes);
    await new Promise<void>((resolve) => {
      stream.flush(() => {
        resolve();
      });
    });
    return Buffer.concat(parts).toString();
  }
});

describe('/docs', () => {
  test('shows every operation of the document with its path, fields and a call', () => {
    for (const { path, operation } of operationsOf(openApi)) {
      expect(docs).toContain(`id="${operation.operationId}"`);
      expect(docs).toContain(`<code>${path}</code>`);
    }
    for (const field of Object.keys(openApi.components.schemas['CreateVideo']?.properties ?? {})) {
      expect(docs).toContain(`<code class="name">${field}</code>`);
    }
    expect(docs).toContain('curl -X POST https://api.test/v1/videos');
    expect(docs).toContain('curl https://api.test/v1/generations/gen_');
  });

  test('shows every error and every failure', () => {
    for (const code of Object.keys(errorCodes)) expect(docs).toContain(`id="error-${code}"`);
    for (const code of Object.keys(failureCodes)) expect(docs).toContain(`id="failure-${code}"`);
  });
});

/** Space between tags is Prettier's. */
const tight = ({ markup }: Html) => markup.replace(/>\s+</g, '><');

test('/docs.md ends each sentence of a field once', async () => {
  const text = await (await fetch(`${server.url}/docs.md`)).text();
  expect(text).toContain('A video model from GET /models. At most 64 characters.');
  expect(text).not.toMatch(/[a-z]\.\. /);
});

describe('templates', () => {
  test('text is escaped, HTML is not, empty values leave nothing', () => {
    const hostile = `<b a="x" b='y'>&`;
    const paragraph = html`<p title="${hostile}">${hostile}${null}${undefined}${false}${7}</p>`;
    expect(tight(paragraph)).toBe(
      '<p title="&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;">&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;7</p>',
    );
    const list = [html`<li>${'<'}</li>`, null];
    expect(
      tight(
        html`<ul>
          ${list}
        </ul>`,
      ),
    ).toBe('<ul><li>&lt;</li></ul>');
  });

  test('Markdown in a description is rendered, HTML in it is shown as text', () => {
    expect(tight(markdown('`a<b` <script>x</script>\n\n| a |\n|---|\n| [b](#c) |'))).toBe(
      '<p><code>a&lt;b</code> &lt;script&gt;x&lt;/script&gt;</p><div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td><a href="#c">b</a></td></tr></tbody></table></div>',
    );
  });
});
