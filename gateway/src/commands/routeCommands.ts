import { maxPriceCredits } from '@framegate/contract';
import { CommandError } from '../domain/installation/commandError.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command, OfflineCommand } from './command.ts';
import { UsageError } from './flags.ts';

/** Commands for ROUTES_FILE. */
export const routeCommands: Readonly<Record<string, Command | OfflineCommand>> = {
  'routes check': {
    usage: '',
    summary:
      'Runs the startup checks on ROUTES_FILE, without calling providers or the database, and prints the resulting offer for each model.',
    flags: {},
    prepareOffline: () => (deps) => deps.checkRoutes(),
  },
  'routes show': {
    usage: '--model M [--mode MODE] [--params JSON]',
    summary:
      'Prints the request that each route of a model would send for the given parameters, with sample inputs; nothing is sent.',
    flags: { model: 'text', mode: 'text', params: 'text' },
    prepareOffline(flags) {
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
    prepareOffline(flags) {
      const route = { provider: flags.text('provider'), model: flags.text('model') };
      const seconds = flags.wholeNumber('seconds', 1, 7200) ?? 900;
      if (!flags.isOn('spend')) {
        throw new UsageError(
          'This is a real order, for which the provider charges. Add --spend to accept the charge.',
        );
      }
      return (deps) => deps.placeTestOrder(route, seconds);
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
    mayLackRoutes: true,
    prepareOffline(flags) {
      const [like, file] = [flags.textOrNull('like'), flags.textOrNull('provider')];
      if (like !== null && file !== null) {
        throw new UsageError('Use either --like or --provider, not both.');
      }
      const models = flags.texts('model').map((text) => {
        const [, id, providerModel] = /^([^=]+)=(.+)$/.exec(text) ?? [];
        if (id && providerModel) return { id, providerModel };
        throw new UsageError(
          `--model must be two IDs, yours and the provider's, such as alpha-2.5=video-1, but is "${text}".`,
        );
      });
      const route = flags.has('route') ? flags.json('route', `'{"does":{"seconds":[5]}}'`) : {};
      const connection = {
        like,
        file,
        models,
        route,
        name: flags.textOrNull('name'),
        baseURL: flags.textOrNull('base-url'),
        mediaHosts: flags.texts('media-host'),
        cost: flags.textOrNull('cost'),
        price: flags.wholeNumber('price', 1, maxPriceCredits) ?? null,
      };
      const options = {
        readsKeyFromInput: flags.isOn('key-stdin'),
        isDryRun: flags.isOn('dry-run'),
        mayOrder: flags.isOn('spend'),
      };
      return (deps) => deps.connectRoute(connection, options);
    },
  },
  'routes reload': {
    usage: '',
    summary:
      'Makes all processes reload ROUTES_FILE and MODELS_FILE and offer withheld requests again; exits with status 1 if any refuses a file or does not respond.',
    flags: {},
    noted: 'around it',
    prepare: () => async (deps) => {
      const processes = await deps.requestReload();
      if (processes.length === 0) {
        throw new CommandError(
          'No gateway process is using this database. The files will be read at the next start.',
        );
      }
      return {
        processes: processes.map(({ removedKeys, ...process }) => ({
          ...process,
          ...(removedKeys && { gone_keys: removedKeys }),
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
    isReadOnly: true,
    prepare: () => (deps) =>
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
    prepare(flags) {
      const route = { provider: flags.text('provider'), model: flags.text('model') };
      return (deps) =>
        deps.withDeliveries(async (deliveries) => {
          const { modelBreakerKey } = await import('../domain/providers/breakerKeys.ts');
          const { restoreCapabilities } =
            await import('../application/generations/run/withheldRoutes.ts');
          const wasWithheld = await restoreCapabilities(deliveries, modelBreakerKey(route));
          return { ...route, result: wasWithheld ? 'offered again' : 'nothing was withheld' };
        });
    },
  },
};
