import { rotatedSecrets } from '../domain/installation/secretVersions.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';

/** The command for rotated secrets. */
export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets status': {
    usage: '',
    summary:
      'Counts the uses of each version of KEY_PEPPERS, MEDIA_SIGNING_KEYS and SESSION_KEYS; exits with status 1 if the settings lack a version still in use.',
    flags: {},
    isReadOnly: true,
    prepare: () => async (deps) => ({
      secrets: (await deps.judgeSecrets()).map((each) => ({
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
