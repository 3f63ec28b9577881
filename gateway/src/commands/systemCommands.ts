import { maxPrice } from '@framegate/contract';
import { CommandError } from '../domain/installation/commandError.ts';
import { versionOf } from '../domain/installation/schemaVersion.ts';
import { rotatedSecrets } from '../domain/installation/secretVersions.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import { type ApartCommand, type Command, UsageError } from './command.ts';

/** Commands for the database's schema. */
export const databaseCommands: Readonly<Record<string, Command>> = {
  'database status': {
    usage: '',
    summary:
      'Shows completed and pending migrations; exits with status 1 if the gateway would not start on this database in production.',
    flags: {},
    needs: 'any schema',
    readsOnly: true,
    read: () => async (deps) => {
      const { stored, codeVersion, verdict } = await deps.schema();
      return {
        schema: versionOf(stored),
        needed: codeVersion,
        verdict,
        migrated_by: stored.migratedBy,
        migrations: stored.done.map(({ version, name, doneAt, durationMs }) => ({
          version,
          name,
          done_at: isoTimeOrNull(doneAt),
          duration_ms: durationMs,
        })),
      };
    },
    isBad: ({ verdict }) => ['older', 'newer', 'unknown'].includes(String(verdict)),
  },
  'database migrate': {
    usage: '',
    summary:
      'Runs pending migrations before a new version starts, while the old one runs. Run it again once the old version has stopped to finish removals.',
    flags: {},
    needs: 'any schema',
    noted: 'after it',
    hasChanged: ({ migrated }) => Array.isArray(migrated) && migrated.length > 0,
    read: () => async (deps) => {
      const migrated = await deps.migrate();
      const { stored, verdict } = await deps.schema();
      return { migrated, schema: versionOf(stored), verdict };
    },
  },
  'database restored': {
    usage: '',
    summary:
      'Tells clients that follow the ledger or the events which entries a restore has lost. Run it after a restore, before the gateway starts.',
    flags: {},
    noted: 'after it',
    read: () => async (deps) => {
      const counter = await deps.feed.beginEpoch();
      if (counter === null) {
        throw new CommandError(
          'This restore is already recorded, and no client has read anything since. Nothing was changed.',
        );
      }
      return { followers_read_again_from: counter.last };
    },
  },
};

/** The command for rotated secrets. */
export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets status': {
    usage: '',
    summary:
      'Counts the uses of each version of KEY_PEPPERS, MEDIA_SIGNING_KEYS and SESSION_KEYS; exits with status 1 if the settings lack a version still in use.',
    flags: {},
    readsOnly: true,
    read: () => async (deps) => ({
      secrets: (await deps.secretStatus()).map((each) => ({
        setting: rotatedSecrets[each.name].setting,
        version: each.version,
        state: each.state,
        uses: each.uses,
        accounts: each.accountIds,
        made_until: isoTimeOrNull(each.madeUntil),
        needed_until: isoTimeOrNull(each.neededUntil),
        can_go: each.state === 'verifies' && !each.isNeeded,
      })),
    }),
    isBad: ({ secrets }) =>
      (secrets as { state: string }[]).some(({ state }) => state === 'missing'),
  },
};

/** Commands for ROUTES_FILE. */
export const routeCommands: Readonly<Record<string, Command | ApartCommand>> = {
  'routes check': {
    usage: '',
    summary:
      'Runs the startup checks on ROUTES_FILE, without calling providers or the database, and prints the resulting offer for each model.',
    flags: {},
    readApart: () => (deps) => deps.checkRoutes(),
  },
  'routes show': {
    usage: '--model M [--mode MODE] [--params JSON]',
    summary:
      'Prints the request that each route of a model would send for the given parameters, with sample inputs; nothing is sent.',
    flags: { model: 'text', mode: 'text', params: 'text' },
    readApart(flags) {
      const order = {
        model: flags.text('model'),
        mode: flags.textOrNull('mode'),
        parameters: flags.has('params') ? flags.json('params', `'{"resolution":"720p"}'`) : {},
      };
      return (deps) => deps.showRoutes(order);
    },
  },
  'routes try': {
    usage: '--provider P --model M --spend [--seconds N]',
    summary:
      "Orders and checks one small file; gives up after --seconds (default 900). M is the provider's model ID. --spend accepts the provider's charge.",
    flags: { provider: 'text', model: 'text', spend: 'switch', seconds: 'text' },
    readApart(flags) {
      const asked = { provider: flags.text('provider'), model: flags.text('model') };
      const seconds = flags.whole('seconds', 1, 7200) ?? 900;
      if (!flags.given('spend')) {
        throw new UsageError(
          'This is a real order, for which the provider charges. Add --spend to accept the charge.',
        );
      }
      return (deps) => deps.tryRoute(asked, seconds);
    },
  },
  'routes connect': {
    usage:
      '(--like NAME | --provider FILE) --model OURS=THEIRS ... [--name P] [--base-url U] [--media-host H ...] [--route JSON] [--cost "N USD"] [--price N] [--key-stdin] [--dry-run] [--spend]',
    summary:
      'Connects a provider: checks it, shows price, cost and margin, and writes ROUTES_FILE. In a terminal, it asks for missing values. --spend orders a test.',
    flags: {
      like: 'text',
      provider: 'text',
      model: 'texts',
      name: 'text',
      'base-url': 'text',
      'media-host': 'texts',
      route: 'text',
      cost: 'text',
      price: 'text',
      'key-stdin': 'switch',
      'dry-run': 'switch',
      spend: 'switch',
    },
    startsRoutes: true,
    readApart(flags) {
      const [like, file] = [flags.textOrNull('like'), flags.textOrNull('provider')];
      if (like !== null && file !== null) {
        throw new UsageError('Use either --like or --provider, not both.');
      }
      const models = flags.texts('model').map((text) => {
        const [, id, upstream] = /^([^=]+)=(.+)$/.exec(text) ?? [];
        if (id && upstream) return { id, upstream };
        throw new UsageError(
          `--model must be two IDs, yours and the provider's, such as alpha-2.5=video-1, but is "${text}".`,
        );
      });
      const route = flags.has('route') ? flags.json('route', `'{"does":{"seconds":[5]}}'`) : {};
      const wanted = {
        like,
        file,
        models,
        route,
        name: flags.textOrNull('name'),
        baseURL: flags.textOrNull('base-url'),
        mediaHosts: flags.texts('media-host'),
        cost: flags.textOrNull('cost'),
        price: flags.whole('price', 1, maxPrice) ?? null,
      };
      const options = {
        keyFromInput: flags.given('key-stdin'),
        isTrial: flags.given('dry-run'),
        mayOrder: flags.given('spend'),
      };
      return (deps) => deps.connectRoute(wanted, options);
    },
  },
  'routes reload': {
    usage: '',
    summary:
      'Makes all processes reload ROUTES_FILE and MODELS_FILE and offer withheld requests again; exits with status 1 if any refuses a file or does not respond.',
    flags: {},
    noted: 'around it',
    read: () => async (deps) => {
      const processes = await deps.requestReload();
      if (processes.length === 0) {
        throw new CommandError(
          'No gateway process is using this database. The files will be read at the next start.',
        );
      }
      return {
        processes: processes.map(({ goneKeys, ...process }) => ({
          ...process,
          ...(goneKeys && { gone_keys: goneKeys }),
        })),
      };
    },
    isBad: ({ processes }) =>
      (processes as { result: string }[]).some(({ result }) =>
        ['refused', 'silent'].includes(result),
      ),
  },
  'routes withheld': {
    usage: '',
    summary:
      'Lists the requests that routes stopped offering after three wrong results in a row, with the generations concerned.',
    flags: {},
    readsOnly: true,
    read: () => (deps) =>
      deps.withDeliveries(async (deliveries) => {
        const { listWithheld } = await import('../application/generations/run/withheldRoutes.ts');
        const withheld = listWithheld(deliveries);
        return {
          withheld: withheld.map(({ since, ...each }) => ({
            ...each,
            since: isoTimeOrNull(since),
          })),
        };
      }),
  },
  'routes sell': {
    usage: '--provider P --model M',
    summary:
      "Makes a route offer all requests again (M is the provider's model ID); routes reload does so for all routes.",
    flags: { provider: 'text', model: 'text' },
    noted: 'around it',
    read(flags) {
      const route = { provider: flags.text('provider'), model: flags.text('model') };
      return (deps) =>
        deps.withDeliveries(async (deliveries) => {
          const { modelBreakerKey } = await import('../domain/providers/breakerKeys.ts');
          const { restoreCapabilities } =
            await import('../application/generations/run/withheldRoutes.ts');
          const soldLess = await restoreCapabilities(deliveries, modelBreakerKey(route));
          return { ...route, result: soldLess ? 'offered again' : 'nothing was withheld' };
        });
    },
  },
};
