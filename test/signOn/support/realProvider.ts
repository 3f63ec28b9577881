import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** A person at the provider. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
  amr?: string[];
}

/** An OpenID Connect provider on this machine, which signs in the chosen person without a prompt. */
export interface RealProvider {
  issuer: string;
  client: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string };
  /** The person at every browser from now on. */
  person: Person;
  /** Follows a browser from the provider's URL to its return. @returns The URL of the return. */
  visit(address: string): Promise<URL>;
  close(): Promise<void>;
}

/** Starts a provider for a gateway at this origin. */
export async function startRealProvider(origin: string): Promise<RealProvider> {
  const server = createServer();
  const issuer = await listen(server);
  const state: { person: Person } = { person: { sub: 'nobody' } };
  const people = new Map<string, Person>();
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'framegate',
        client_secret: 'a secret of the provider / with + signs',
        redirect_uris: [`${origin}/sign-in/oidc/callback`, `${origin}/staff/sign-in/oidc/callback`],
        post_logout_redirect_uris: [`${origin}/`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub', 'groups', 'amr'], email: ['email', 'email_verified'], profile: [] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ ...people.get(sub), sub }),
    }),
    async loadExistingGrant(ctx) {
      const { client, provider, session } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next();
    const { person } = state;
    people.set(person.sub, person);
    await provider.interactionFinished(ctx.req, ctx.res, {
      login: { accountId: person.sub, ...(person.amr && { amr: person.amr }) },
    });
    ctx.respond = false;
  });
  const respond = provider.callback();
  server.on('request', (request, response) => void respond(request, response));
  return {
    issuer,
    client: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'framegate',
      OIDC_CLIENT_SECRET: 'a secret of the provider / with + signs',
    },
    get person() {
      return state.person;
    },
    set person(person) {
      state.person = person;
    },
    async visit(address) {
      const cookies = new Map<string, string>();
      let url = new URL(address);
      for (let hop = 0; hop < 10; hop += 1) {
        if (url.origin === origin) return url;
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${url.href}: ${await response.text()}`);
        await response.arrayBuffer();
        url = new URL(location, url);
      }
      throw new Error('the provider redirects in a circle');
    },
    close: () => closeServer(server),
  };
}

/** Listens on a free port of this machine. @returns The origin. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes a server with its connections. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
