/**
 * `npm run audit`: checks runtime dependencies of all workspaces for known vulnerabilities. Fails on findings of
 * moderate severity or higher, and when the registry does not respond, because `npm audit` alone reports "found 0
 * vulnerabilities" when offline.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Severities that do not block a release; all others do, including unknown ones. */
const minor: readonly string[] = ['info', 'low', 'total'];

/** Result of a report of `npm audit --json`. */
interface AuditResult {
  ok: boolean;
  message: string;
}

interface AuditReport {
  metadata?: {
    vulnerabilities?: Partial<Record<string, number>>;
    dependencies?: Partial<Record<string, number>>;
  };
  vulnerabilities?: Record<string, { severity?: string; via?: unknown[] }>;
  /** Message of an error. */
  message?: unknown;
}

const unansweredAudit = (why: string): AuditResult => ({
  ok: false,
  message: `No answer from the registry: ${why}.\nRun this where npm has a registry with advisories.`,
});

/** Evaluates a report; an incomplete one counts as no response. */
function judge(output: string): AuditResult {
  const report = parseReport(output);
  if (!report) return unansweredAudit('npm audit wrote no report');
  const vulnerabilities = report.metadata?.vulnerabilities;
  const packages = report.metadata?.dependencies?.['prod'] ?? 0;
  if (!vulnerabilities || packages <= 1) {
    const { message } = report;
    return unansweredAudit(typeof message === 'string' ? message : 'its report is incomplete');
  }
  const bad = Object.entries(vulnerabilities).flatMap(([severity, count = 0]) =>
    count > 0 && !minor.includes(severity) ? [`${count} ${severity}`] : [],
  );
  const names = Object.entries(report.vulnerabilities ?? {}).map(
    ([name, { severity = '', via = [] }]) =>
      `  ${severity} ${name}: ${via.map(wordsOf).join('; ')}`,
  );
  const list = names.length > 0 ? `\n${names.join('\n')}` : '';
  return bad.length > 0
    ? { ok: false, message: `Vulnerable: ${bad.join(', ')}.${list}` }
    : {
        ok: true,
        message: `No vulnerabilities of moderate severity or higher in ${packages} packages.${list}`,
      };
}

function parseReport(output: string): AuditReport | null {
  try {
    const parsed: unknown = JSON.parse(output);
    return typeof parsed === 'object' ? parsed : null;
  } catch {
    return null;
  }
}

function wordsOf(via: unknown): string {
  const isAdvisory = typeof via === 'object' && via !== null && 'title' in via;
  return isAdvisory ? String(via.title) : String(via);
}

const { stdout, stderr, error } = spawnSync(
  'npm',
  ['audit', '--omit=dev', '--json', '--no-offline', '--no-prefer-offline'],
  { cwd: join(import.meta.dirname, '..'), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const { ok, message } = judge(error ? '' : stdout);
process[ok ? 'stdout' : 'stderr'].write(`${message}\n`);
if (!ok && stderr) process.stderr.write(stderr);
process.exitCode = ok ? 0 : 1;
