import { Router } from '@koa/router';
import { builtInBrand } from '../../gateway/src/domain/brand/brand.ts';
import { mediaPurposes } from '../../gateway/src/domain/generations/mediaUrl.ts';
import { mayDo, type StaffRole, staffRoles } from '../../gateway/src/domain/staff/staffRights.ts';
import { mayInTeam, type TeamRole, teamRoles } from '../../gateway/src/domain/teams/teamRoles.ts';
import { type AppDeps, createApp, createOperatorApp } from '../../gateway/src/http/app.ts';
import { pageRights } from '../../gateway/src/http/site/account/pageRights.ts';
import { actionOf } from '../../gateway/src/http/staff/needs.ts';

/** Who sends a row's requests. A staff member has the lowest role that the route admits. */
export type Caller =
  | 'anonymous'
  | 'API key'
  | 'customer'
  | Exclude<TeamRole, 'owner'>
  | StaffRole
  | 'operator key'
  | 'monitoring';

/** A route and who may use it. */
export interface Route {
  /** Method and path with the names of its parts, such as `GET /generations/:id`. */
  name: string;
  admits: readonly Caller[];
}

/** Pages that people see before they have signed in, and forms that they send there. */
const beforeSignIn =
  /^\w+ \/(sign-(in|up|out)|confirm|forgotten-password|start|language|settings\/join)(\/|$)/;
/** Entry pages of the console. */
const entrances = /^\w+ \/staff\/(sign-in|enrol)(\/|$)/;

/** Every route of the gateway, from the routers themselves, and the few that have none. */
export function allRoutes(): Route[] {
  const routes = new Map<string, Route>();
  const add = (name: string, admits: readonly Caller[]) => routes.set(name, { name, admits });
  for (const { methods, path, stack } of registeredLayers()) {
    for (const method of methods.filter((each) => each !== 'HEAD')) {
      const name = `${method} ${String(path)}`;
      add(name, callersOf(name, stack));
    }
  }
  for (const purpose of mediaPurposes) add(`GET /media/${purpose}/:file`, ['anonymous']);
  add('GET /metrics', ['monitoring']);
  return [...routes.values()];
}

/** The callers that a route admits, by the tables of rights. */
function callersOf(name: string, steps: readonly object[]): Caller[] {
  const path = name.slice(name.indexOf(' ') + 1);
  const act = actionOf(steps);
  if (act !== undefined) {
    if (entrances.test(name)) return ['anonymous'];
    return staffRoles.filter((role) => mayDo(role, act)).slice(0, 1);
  }
  const operation = path.startsWith('/operator/v1/') && path !== '/operator/v1/openapi.json';
  if (operation) return ['operator key'];
  if ((path.startsWith('/v1/') && path !== '/v1/openapi.json') || path === '/mcp') {
    return ['API key'];
  }
  const right = Object.entries(pageRights).find(([page]) => page === name)?.[1];
  if (right === undefined) return ['anonymous'];
  if (right === 'own') return beforeSignIn.test(name) ? ['anonymous', 'customer'] : ['customer'];
  const members = teamRoles.filter((role) => role !== 'owner');
  return ['customer', ...members.filter((role) => mayInTeam(role, right))];
}

/** The layers of all routers that are made while the two applications are built, each path once. */
function registeredLayers(): Router['stack'] {
  const routers = new Set<Router>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its router
  const { register } = Router.prototype;
  Router.prototype.register = function note(this: Router, ...args: Parameters<typeof register>) {
    routers.add(this);
    return register.apply(this, args);
  };
  try {
    // Spreading copies only own properties.
    const site = ['allowances', 'publicUrls', 'languages', 'links', 'log', 'uploads'];
    const deps = anythingBut({ sessionKeys: [{ secret: 'of no cookie' }] });
    const parts = new Map(site.map((name) => [name, anythingBut({})]));
    const account = anythingBut({ ...Object.fromEntries(parts), deps });
    // Pages of invitations are only there where customers are invited.
    const staff = anythingBut({ signUp: 'invite' });
    const docs = () => anythingBut({ clients: [] });
    const documents = { openApi: () => ({}), docs };
    const api = anythingBut({ brand: builtInBrand, basePath: '/v1', ...documents, account, staff });
    createApp(api as AppDeps);
    const operator = anythingBut({ operatorOpenApi: {} });
    createOperatorApp(operator as Parameters<typeof createOperatorApp>[0]);
  } finally {
    Router.prototype.register = register;
  }
  return [...routers].flatMap(({ stack }) => stack);
}

/** Dependencies that are never used, because routes are only registered. @param used Those that are. */
function anythingBut(used: Record<string, unknown>): object {
  const anything: unknown = new Proxy(
    Object.assign(() => anything, used),
    {
      get(target, name) {
        if (Object.hasOwn(target, name)) return Reflect.get(target, name) as unknown;
        if (name === Symbol.iterator) return [][Symbol.iterator];
        return name === Symbol.toPrimitive ? () => 'https://site.example' : anything;
      },
    },
  );
  return anything as object;
}
