import type { RoutesFile } from './configuredRoutes.ts';
import { jsonPath } from './jsonPath.ts';
import { openProvider } from './openProvider.ts';
import { messageOf } from './providerFailures.ts';
import { parseRoutesFile, RoutesFileError } from './routesFile.ts';

/**
 * As `parseRoutesFile`. Of a file that will not do its packages are opened all the same, so that the operator
 * reads of everything at once.
 * @param providersDir Where the operator installs packages; null: beside the gateway.
 * @throws RoutesFileError with every problem of the form, and every provider that cannot be opened.
 */
export async function checkRoutesFile(
  given: Parameters<typeof parseRoutesFile>,
  providersDir: string | null,
): Promise<RoutesFile> {
  try {
    return parseRoutesFile(...given);
  } catch (error) {
    if (!(error instanceof RoutesFileError)) throw error;
    const problems = [...error.problems];
    for (const provider of error.sound) {
      if (provider.kind === 'preview-renderer') continue;
      try {
        const { http } = await openProvider(provider, { preview: null, providersDir });
        await http?.close();
      } catch (reason) {
        problems.push(openingProblem(provider.name, reason));
      }
    }
    throw new RoutesFileError(problems);
  }
}

/** Why a provider cannot be opened, with its path in the file. */
export function openingProblem(provider: string, reason: unknown): string {
  return `${jsonPath(['providers', provider])}: ${messageOf(reason)}.`;
}
