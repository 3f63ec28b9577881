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
      'Shows completed and missing migrations; exit status 1 if the gateway would not start on the database in production.',
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
      'Runs missing migrations before a new version starts, while the previous one keeps running. Run it again once that has ended to finish removals.',
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
      'After a restore, before the gateway starts: makes followers of the ledger and the events forget what was lost.',
    flags: {},
    noted: 'after it',
    read: () => async (deps) => {
      const counter = await deps.feed.beginEpoch();
      if (counter === null) {
        throw new CommandError(
          'This restore is already recorded, and no follower has read anything since. Nothing was changed.',
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
      'Counts the uses of each version of KEY_PEPPERS, MEDIA_SIGNING_KEYS and SESSION_KEYS; exit status 1 if the settings lack a needed version.',
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
      'Checks ROUTES_FILE as at startup, without calling a provider or the database, and prints the resulting offer of each model.',
    flags: {},
    readApart: () => (deps) => deps.checkRoutes(),
  },
  'routes show': {
    usage: '--model M [--mode MODE] [--params JSON]',
    summary:
      'Prints the request that each route of a model would send for these parameters of a create, with sample inputs; nothing is sent.',
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
      "Orders one small file from a route, checks it, and gives up after --seconds (900). M is the provider's model ID. --spend accepts the charge.",
    flags: { provider: 'text', model: 'text', spend: 'switch', seconds: 'text' },
    readApart(flags) {
      const asked = { provider: flags.text('provider'), model: flags.text('model') };
      const seconds = flags.whole('seconds', 1, 7200) ?? 900;
      if (!flags.given('spend')) {
        throw new UsageError('It is a real order that the provider charges: add --spend.');
      }
      return (deps) => deps.tryRoute(asked, seconds);
    },
  },
  'routes connect': {
    usage:
      '(--like NAME | --provider FILE) --model OURS=THEIRS ... [--name P] [--base-url U] [--media-host H ...] [--route JSON] [--cost "N USD"] [--price N] [--key-stdin] [--dry-run] [--spend]',
    summary:
      'Connects a provider: checks it, shows price, cost and margin, writes ROUTES_FILE; a terminal asks what is missing. --spend orders one file.',
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
      if (like !== null && file !== null) throw new UsageError('--like goes without --provider.');
      const models = flags.texts('model').map((text) => {
        const [, id, upstream] = /^([^=]+)=(.+)$/.exec(text) ?? [];
        if (id && upstream) return { id, upstream };
        throw new UsageError(
          `--model is "${text}": it must be two IDs, yours and the provider's, such as alpha-2.5=video-1.`,
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
      'Makes all processes re-read ROUTES_FILE and MODELS_FILE and sell withheld requests again; exit status 1 if one refused a file or did not respond.',
    flags: {},
    noted: 'around it',
    read: () => async (deps) => {
      const processes = await deps.requestReload();
      if (processes.length === 0) {
        throw new CommandError(
          'No gateway process is running on this database. The files are read at the next start.',
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
      'Lists the requests that routes no longer sell after three wrong deliveries in a row, with the generations.',
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
      "Makes a route sell everything again (M is the provider's own model ID); a reload does so for all routes.",
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
          return { ...route, result: soldLess ? 'sold again' : 'nothing was withheld' };
        });
    },
  },
};
