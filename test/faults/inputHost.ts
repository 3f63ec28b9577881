import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { createTlsAuthority } from '../media/tlsAuthority.ts';

const host = 'inputs.framegate.example';

/** Behaviour of a picture: unchanged, or from the second fetch on another type of file or missing. */
export type InputNature = 'steady' | 'changes' | 'vanishes';

/** A customer's storage from which gateway processes can fetch inputs. */
export interface InputHost {
  host: string;
  /** The settings that route them there. */
  env: Record<string, string>;
  /** The host's TLS certificate, PEM. */
  authority: string;
  /** URL of a picture. */
  url(name: string, nature: InputNature): string;
  /** Serves a file from now on. @returns Its URL. */
  serve(name: string, bytes: Uint8Array): string;
  /** Uses a custom response for a file from now on. @returns Its URL. */
  respond(name: string, how: (response: ServerResponse) => void): string;
  /** Number of fetches of the file with this name. */
  fetches(name: string): number;
  close(): Promise<void>;
}

/** Serves pictures over TLS on 127.0.0.1, with a certificate of its own authority in `folder`. */
export async function startInputHost(folder: string): Promise<InputHost> {
  const authority = createTlsAuthority();
  const picture = sharp({ create: { width: 320, height: 320, channels: 3, background: '#357' } });
  const png = await picture.clone().png().toBuffer();
  const jpeg = await picture.clone().jpeg().toBuffer();
  const fetched = new Map<string, number>();
  const files = new Map<string, Uint8Array>();
  const responses = new Map<string, (response: ServerResponse) => void>();
  const server = createServer(authority.issue(host), ({ url = '' }, response) => {
    const count = fetched.get(url) ?? 0;
    fetched.set(url, count + 1);
    const file = files.get(url);
    const own = responses.get(url);
    if (own) own(response);
    else if (file) response.end(file);
    else if (count > 0 && url.includes('/vanishes/')) response.writeHead(404).end();
    else response.end(count > 0 && url.includes('/changes/') ? jpeg : png);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ca = join(folder, 'input-authority.pem');
  await writeFile(ca, authority.cert);
  return {
    host,
    env: {
      INPUT_HOST_OVERRIDES: `${host}=127.0.0.1:${String(port)}`,
      NODE_EXTRA_CA_CERTS: ca,
    },
    authority: authority.cert,
    url: (name, nature) => `https://${host}/${nature}/${name}`,
    serve(name, bytes) {
      files.set(`/files/${name}`, bytes);
      return `https://${host}/files/${name}`;
    },
    respond(name, how) {
      responses.set(`/files/${name}`, how);
      return `https://${host}/files/${name}`;
    },
    fetches: (name) => fetched.get(`/files/${name}`) ?? 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
