import {
  type CatalogueVersion,
  successionProblems,
  versionAt,
} from '../domain/catalogue/catalogue.ts';
import { catalogueChanges } from '../domain/catalogue/catalogueChanges.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command, CommandApp, ComparedWithRoutes } from './command.ts';

/** Versions per page: maximum and default. */
const maxPage = 100;
const defaultPage = 20;

/** Commands for MODELS_FILE and the stored versions of the catalogue. */
export const modelCommands: Readonly<Record<string, Command>> = {
  'models check': {
    usage: '',
    summary:
      'Checks MODELS_FILE or PRICES_FILE, printing changes for customers, prices below cost and values without a route; exits with status 1 if it cannot be published.',
    flags: {},
    isReadOnly: true,
    prepare: () => async (deps) => {
      const requested = deps.requestedCatalogue();
      const versions = await deps.catalogues.listPage(null, maxPage);
      const nowMs = deps.clock.now();
      const [newest] = versions;
      const current = versionAt(versions, nowMs);
      const { catalogue, from } = requested;
      return {
        in_force: current?.number ?? null,
        newest: newest?.number ?? null,
        from: isoTimeOrNull(from),
        changes: current === null ? [] : catalogueChanges(current, catalogue),
        problems: newest ? successionProblems(newest, catalogue, nowMs) : [],
        ...(await compareWithRoutes(deps)),
      };
    },
    isBad: ({ problems }) => Array.isArray(problems) && problems.length > 0,
  },
  'models publish': {
    usage: '',
    summary:
      'Publishes MODELS_FILE, PRICES_FILE or, without them, the built-in models as a new catalogue version, even if an earlier one matches; prints when it takes effect.',
    flags: {},
    noted: 'around it',
    prepare: () => async (deps) => {
      const { result, version } = await deps.publishCatalogue();
      return { result, version: version.number, from: isoTimeOrNull(version.from) };
    },
  },
  'models list': {
    usage: '[--before N] [--limit N]',
    summary:
      'Lists catalogue versions, newest first, with the time each took effect and the process that published it; --before N lists those older than version N.',
    flags: { before: 'text', limit: 'text' },
    isReadOnly: true,
    prepare(flags) {
      const before = flags.wholeNumber('before', 1, Number.MAX_SAFE_INTEGER) ?? null;
      const limit = flags.wholeNumber('limit', 1, maxPage) ?? defaultPage;
      return async ({ catalogues }) => {
        const versions = await catalogues.listPage(before, limit + 1);
        const page = versions.slice(0, limit);
        return {
          versions: page.map(printedVersion),
          next: versions.length > limit ? (page.at(-1)?.number ?? null) : null,
        };
      };
    },
  },
};

/** Routes with problems, such as a key that this shell lacks, do not hinder the check of the models. */
async function compareWithRoutes({
  compareWithRoutes: comparedWithRoutes,
  report,
}: Pick<CommandApp, 'compareWithRoutes' | 'report'>): Promise<ComparedWithRoutes> {
  try {
    const comparison = await comparedWithRoutes();
    const belowCost = comparison.below_cost?.length ?? 0;
    const notSent = comparison.not_sent?.length ?? 0;
    if (belowCost > 0) report(`Prices below cost: ${belowCost}. See below_cost.`);
    if (notSent > 0) report(`Values that no route sends: ${notSent}. See not_sent.`);
    return comparison;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    report(`Models cannot be compared with their routes. ${error.message}`);
    return { below_cost: null, not_sent: null };
  }
}

function printedVersion(version: CatalogueVersion): Record<string, unknown> {
  return {
    version: version.number,
    from: isoTimeOrNull(version.from),
    published_at: isoTimeOrNull(version.publishedAt),
    published_by: version.publishedBy,
    from_file: version.isOperators,
    hash: version.hash,
    models: version.models.length,
    groups: Object.keys(version.groups),
  };
}
