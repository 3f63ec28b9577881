import { PlainRefusal } from '../application/plainRefusal.ts';
import { UsageError, type ApartCommand, type Command } from './command.ts';

/** The commands about ROUTES_FILE. */
export const routeCommands: Readonly<Record<string, Command | ApartCommand>> = {
  'routes check': {
    usage: '',
    summary:
      'Checks ROUTES_FILE as a start does, without calling a provider and without the database, and prints what each model then offers.',
    flags: {},
    readApart: () => (deps) => deps.checkRoutes(),
  },
  'routes try': {
    usage: '--provider P --model M --spend [--seconds N]',
    summary:
      'Gives one real, small order to a route of ROUTES_FILE (M is the provider’s own model id), prints the steps, and checks the file that comes. The provider charges it: --spend says that this is meant. It gives up after --seconds (900).',
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
  'routes reload': {
    usage: '',
    summary:
      'Has all running processes read ROUTES_FILE again and prints what each made of it; exit status 1 when one refused its file or did not answer.',
    flags: {},
    read: () => async (deps) => {
      const processes = await deps.askToReload();
      if (processes.length === 0) {
        throw new PlainRefusal(
          'No process of the gateway runs on this database: a start reads it.',
        );
      }
      return { processes };
    },
    isBad: ({ processes }) =>
      (processes as { result: string }[]).some(({ result }) =>
        ['refused', 'silent'].includes(result),
      ),
  },
};
