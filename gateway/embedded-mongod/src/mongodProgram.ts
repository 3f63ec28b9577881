import { runProgram } from './processes.ts';

/** `mongod --version` usually takes less than a second; the first run from a slow disk may take longer. */
const versionTimeoutMs = 20_000;
const minMajor = 6;

/**
 * Last day of support by release series (mongodb.com/legal/support-policy/lifecycles). Unlisted series count
 * as supported.
 */
const endsOfLife: Readonly<Record<string, string>> = {
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

/** A mongod that runs on this machine, or a problem that continues a sentence. */
export type MongodOrProblem = { path: string; version: string } | { problem: string };

/** Checks with `mongod --version` that the program runs here and is a supported MongoDB. */
export async function inspectMongod(
  path: string,
  signal: AbortSignal | undefined,
): Promise<MongodOrProblem> {
  const end = await runProgram(path, ['--version'], { timeoutMs: versionTimeoutMs, signal });
  if (end.problem === 'timedOut') {
    return { problem: `"--version" did not respond within ${versionTimeoutMs / 1000} s` };
  }
  if (end.problem !== undefined) {
    return { problem: 'cannot be run here (missing, not executable, or made for another system)' };
  }
  if (end.code !== 0) {
    return { problem: describeMongodExit(end.code, end.signal, end.stderr).reason };
  }
  const version = /^[ \t]*db version v(\d+\.\d+\.\d+\S*)/m.exec(end.stdout)?.[1];
  if (version === undefined) return { problem: 'does not report a MongoDB version' };
  if (Number.parseInt(version, 10) >= minMajor) return { path, version };
  return { problem: `MongoDB ${version} is too old, Framegate needs ${minMajor}.0 or newer` };
}

/** Day on which support for this version ended; undefined if supported or unknown. */
export function endOfLife(version: string, now: Date): string | undefined {
  const day = endsOfLife[version.split('.', 2).join('.')];
  return day !== undefined && now > new Date(`${day}T23:59:59.999Z`) ? day : undefined;
}

/** Reason why mongod ended. */
export interface MongodExit {
  /** After `portTaken` and `folderInUse`, another start may succeed on another port or later. */
  kind: 'portTaken' | 'folderInUse' | 'versionMismatch' | 'other';
  /** Continues a sentence such as "mongod ended: …", without a full stop. */
  reason: string;
}

/**
 * Known causes, most specific first. Patterns match messages of the dynamic linker and of mongod 6.0 to 8.0;
 * `$1` and `$&` in a reason refer to the match.
 */
const knownCauses: readonly (MongodExit & { pattern: RegExp })[] = [
  {
    pattern: /(?:error while loading shared libraries|Library not loaded): ([^\s:]+)/,
    kind: 'other',
    reason:
      'the library $1 is missing (Debian 12 and Ubuntu 22.04 have what mongod needs in libcurl4, ' +
      'libssl3 and liblzma5)',
  },
  {
    pattern: /version `([^`']+)' not found/,
    kind: 'other',
    reason: "this system's libraries are too old for it ($1 is missing)",
  },
  {
    pattern: /Address already in use/,
    kind: 'portTaken',
    reason: 'its port is taken by another program',
  },
  {
    pattern: /DBPathInUse|Unable to lock the lock file/,
    kind: 'folderInUse',
    reason: 'another mongod is using the same data folder',
  },
  {
    pattern: /No space left on device|Disk quota exceeded/,
    kind: 'other',
    reason: 'the disk is full',
  },
  {
    pattern: /Wrong mongod version|UPGRADE PROBLEM|unsupported WiredTiger file version/,
    kind: 'versionMismatch',
    reason: 'its data was written by a MongoDB version that this one cannot read',
  },
  {
    pattern: /Permission denied|Operation not permitted|Read-only file system/,
    kind: 'other',
    reason: 'the operating system denies it access to a file ($&)',
  },
];

/**
 * Explains why a mongod ended.
 * @param code Exit status, or null after a signal.
 * @param output Output of stderr and the log (JSON lines).
 */
export function describeMongodExit(
  code: number | null,
  signal: string | null,
  output: string,
): MongodExit {
  if (signal === 'SIGILL' || code === 132 || output.includes('Illegal instruction')) {
    const reason = 'this processor lacks the AVX instructions that MongoDB 5.0 and newer need';
    return { kind: 'other', reason };
  }
  const errors = parseErrors(output);
  for (const { pattern, kind, reason } of knownCauses) {
    const match = pattern.exec(errors.join('\n'));
    if (match !== null) return { kind, reason: match[0].replace(pattern, reason) };
  }
  const ending = signal === null ? `exit status ${code ?? 'unknown'}` : `signal ${signal}`;
  const last = errors.slice(-3).join('; ').slice(0, 600);
  return { kind: 'other', reason: last === '' ? ending : `${ending}, ${last}` };
}

/** Extracts errors from a mongod log (one JSON object per line, `s` is the severity) and all other lines. */
function parseErrors(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    const text = line.trim();
    if (text === '') return [];
    const entry = parseLogLine(text);
    if (entry === undefined) return text.startsWith('{') ? [] : [text];
    const { s: severity, msg, attr } = entry;
    // Some messages only refer to another error.
    const isRepetition = /^BACKTRACE|^Writing fatal message|^\s*\*\*\*aborting after/.test(msg);
    if (isRepetition || (severity !== 'E' && severity !== 'F')) return [];
    if (attr?.error === undefined) return [msg];
    return [`${msg}: ${typeof attr.error === 'string' ? attr.error : JSON.stringify(attr.error)}`];
  });
}

interface LogLine {
  s: string;
  msg: string;
  attr?: { error?: unknown };
}

function parseLogLine(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry = typeof value === 'object' && value !== null && 's' in value && 'msg' in value;
    return isEntry ? (value as LogLine) : undefined;
  } catch {
    return undefined;
  }
}
