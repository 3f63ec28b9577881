/** Why mongod ended: what a person is told, and what the start may do about it. */
export interface MongodExit {
  /** `portTaken` and `folderInUse` may be helped by another port or by looking again. */
  kind: 'portTaken' | 'folderInUse' | 'versionMismatch' | 'other';
  /** In plain words, without a full stop; continues a sentence like "mongod ended: …". */
  reason: string;
}

interface Cause {
  pattern: RegExp;
  kind: MongodExit['kind'];
  reason: (match: RegExpExecArray) => string;
}

/** Known causes, the most telling first. Wording: the dynamic linker's and mongod's own (6.0 to 8.0). */
const CAUSES: readonly Cause[] = [
  {
    pattern: /error while loading shared libraries: ([^\s:]+)|Library not loaded: (\S+)/,
    kind: 'other',
    reason: (match) =>
      `the library ${match[1] ?? match[2] ?? ''} is missing (Debian 12 and Ubuntu 22.04 have what ` +
      'mongod needs in libcurl4, libssl3 and liblzma5)',
  },
  {
    pattern: /version `([^']+)' not found/,
    kind: 'other',
    reason: (match) => `this system's libraries are too old for it (${match[1] ?? ''} is missing)`,
  },
  {
    pattern: /Address already in use/,
    kind: 'portTaken',
    reason: () => 'its port is taken by another program',
  },
  {
    pattern: /DBPathInUse|Unable to lock the lock file/,
    kind: 'folderInUse',
    reason: () => 'another mongod is using the same data folder',
  },
  {
    pattern: /No space left on device|Disk quota exceeded/,
    kind: 'other',
    reason: () => 'the disk is full',
  },
  {
    pattern: /Wrong mongod version|UPGRADE PROBLEM|unsupported WiredTiger file version/,
    kind: 'versionMismatch',
    reason: () => 'its data was written by a MongoDB version that this one cannot read',
  },
  {
    pattern: /Permission denied|Operation not permitted|Read-only file system/,
    kind: 'other',
    reason: (match) => `the operating system refuses it a file (${match[0]})`,
  },
];

/**
 * Puts the end of a mongod into plain words.
 * @param output What it wrote to stderr and to its log (JSON lines).
 */
export function explainMongodExit(
  code: number | null,
  signal: string | null,
  output: string,
): MongodExit {
  if (signal === 'SIGILL' || code === 132 || output.includes('Illegal instruction')) {
    const reason = 'this processor lacks the AVX instructions that MongoDB 5.0 and newer need';
    return { kind: 'other', reason };
  }
  const complaints = readComplaints(output);
  for (const { pattern, kind, reason } of CAUSES) {
    const match = pattern.exec(complaints.join('\n'));
    if (match !== null) return { kind, reason: reason(match) };
  }
  const ending = signal === null ? `exit status ${code ?? 'unknown'}` : `signal ${signal}`;
  const last = complaints.slice(-3).join('; ').slice(0, 600);
  return { kind: 'other', reason: last === '' ? ending : `${ending}, ${last}` };
}

/** Log messages that say only that there was another one. */
const NOISE = /^BACKTRACE|^Writing fatal message|^\s*\*\*\*aborting after/;

/** The errors of a mongod log (a JSON object per line, `s` is the severity) and every line not of it. */
function readComplaints(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    const text = line.trim();
    if (text === '') return [];
    const entry = parseLogLine(text);
    if (entry === undefined) return text.startsWith('{') ? [] : [text];
    const counts = (entry.s === 'E' || entry.s === 'F') && !NOISE.test(entry.msg);
    return counts ? [describe(entry)] : [];
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
    return typeof value === 'object' && value !== null && 's' in value && 'msg' in value
      ? (value as LogLine)
      : undefined;
  } catch {
    return undefined;
  }
}

function describe({ msg, attr }: LogLine): string {
  if (attr?.error === undefined) return msg;
  return `${msg}: ${typeof attr.error === 'string' ? attr.error : JSON.stringify(attr.error)}`;
}
