import { maxGrantCredits } from '@framegate/contract';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';

/** Commands for customers' API keys and their input hosts. */
export const keyCommands: Readonly<Record<string, Command>> = {
  'key create': {
    usage:
      '--account A --name N [--host H ...] [--model M ...] [--daily-credits N] [--monthly-credits N]',
    summary: 'Creates an API key and shows it once; the hosts you list are approved immediately.',
    flags: {
      account: 'text',
      name: 'text',
      host: 'texts',
      model: 'texts',
      'daily-credits': 'text',
      'monthly-credits': 'text',
    },
    noted: 'with its change',
    prepare(flags) {
      const command = {
        accountId: flags.text('account'),
        name: flags.text('name'),
        hosts: flags.texts('host'),
        models: flags.texts('model'),
        dailyCredits: flags.wholeNumber('daily-credits', 1, maxGrantCredits),
        monthlyCredits: flags.wholeNumber('monthly-credits', 1, maxGrantCredits),
      };
      return async (deps) => {
        const { createKey } = await import('../application/keys/keys.ts');
        const { allModels } = await import('../application/catalogue/offer.ts');
        const versions = [
          ...(await deps.catalogues.listPage(null, 50)),
          deps.requestedCatalogue().catalogue,
        ];
        const models = allModels(versions);
        const { keyId, apiKey } = await createKey(
          { ...deps, pepper: deps.pepper(), allModels: () => models },
          command,
        );
        return { key_id: keyId, api_key: apiKey };
      };
    },
  },
  'key revoke': {
    usage: '--key K',
    summary: 'Permanently revokes an API key.',
    flags: { key: 'text' },
    noted: 'with its change',
    prepare(flags) {
      const keyId = flags.text('key');
      return async (deps) => {
        const { revokeKey } = await import('../application/keys/keys.ts');
        return { key_id: keyId, revoked_at: isoTimeOrNull(await revokeKey(deps, keyId)) };
      };
    },
  },
  'host approve': {
    usage: '--key K --host H',
    summary: 'Approves an input host for a key: a host name or a wildcard such as *.media.example.',
    flags: { key: 'text', host: 'text' },
    noted: 'with its change',
    prepare(flags) {
      const command = { keyId: flags.text('key'), host: flags.text('host') };
      return async (deps) => {
        const { approveHost } = await import('../application/keys/keys.ts');
        const host = await approveHost(deps, command);
        return { key_id: command.keyId, host, state: 'approved' };
      };
    },
  },
};
