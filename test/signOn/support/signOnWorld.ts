import { expect } from '@jest/globals';
import { createVisitor, type Page, type Visitor } from '../../site/support/visitor.ts';
import { freePort } from '../../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { type Person, type RealProvider, startRealProvider } from './realProvider.ts';

/** A gateway and a real provider. */
export interface SignOnWorld {
  gateway: TestGateway;
  provider: RealProvider;
  /** Signs a person in by a browser. @returns The page that follows. */
  signIn(visitor: Visitor, person: Person, path?: string): Promise<Page>;
  open(): Visitor;
  stop(): Promise<void>;
}

/** Starts both. */
export async function startSignOnWorld(env: Record<string, string> = {}): Promise<SignOnWorld> {
  const port = String(await freePort());
  const provider = await startRealProvider(`http://127.0.0.1:${port}`);
  const gateway = await startTestGateway({
    ROLE: 'api',
    PORT: port,
    SIGN_IN: 'both',
    OIDC_NAME: 'Example ID',
    ...provider.client,
    ...env,
  });
  return {
    gateway,
    provider,
    open: () => createVisitor(gateway.origin),
    async signIn(visitor, person, path = '/sign-in/oidc') {
      provider.person = person;
      const address = await leave(gateway.origin, visitor, path);
      const back = await provider.visit(address);
      return visitor.get(back.pathname + back.search);
    },
    async stop() {
      await gateway.stop();
      await provider.close();
      expect(gateway.errors).toEqual([]);
    },
  };
}

/** Begins a sign-on without following it. @returns The URL of the provider. */
export async function leave(origin: string, visitor: Visitor, path: string): Promise<string> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(origin + path, { redirect: 'manual', headers: { cookie } });
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    visitor.cookies.set(name, value);
  }
  const location = response.headers.get('location');
  if (location === null) {
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  }
  return location;
}
