/** Oldest server that Framegate runs on (design section 3). */
const OLDEST_MAJOR = 6;

/**
 * Ends of life by release series, as days (MongoDB's lifecycle schedule, mongodb.com/legal/support-policy/lifecycles).
 * Short-lived series between the yearly ones are named too; a series that is not here is taken as supported.
 */
const END_OF_LIFE: Readonly<Record<string, string>> = {
  '6.0': '2025-07-31',
  '6.1': '2023-02-09',
  '6.2': '2023-04-24',
  '6.3': '2023-08-31',
  '7.0': '2027-08-31',
  '7.1': '2024-01-23',
  '7.2': '2024-03-27',
  '7.3': '2024-10-31',
  '8.0': '2029-10-31',
  '8.1': '2025-09-30',
  '8.2': '2026-07-31',
};

/** Reads `6.0.5` out of what `mongod --version` prints; undefined when it is something else. */
export function parseMongodVersion(output: string): string | undefined {
  return /^\s*db version v(\d+\.\d+\.\d+\S*)/m.exec(output)?.[1];
}

/** Why Framegate does not run on this server version; undefined when it does. */
export function refuseVersion(version: string): string | undefined {
  return Number.parseInt(version, 10) < OLDEST_MAJOR
    ? `MongoDB ${version} is too old, Framegate needs ${OLDEST_MAJOR}.0 or newer`
    : undefined;
}

/** The day on which support for this version ended; undefined when it has not, or is not known to. */
export function endOfLife(version: string, now: Date): string | undefined {
  const day = END_OF_LIFE[version.split('.', 2).join('.')];
  return day !== undefined && now > new Date(`${day}T23:59:59.999Z`) ? day : undefined;
}

/** Newest first; for sorting `8.0.20` before `8.0.4` before `6.0.5`. */
export function byNewestVersion(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}
