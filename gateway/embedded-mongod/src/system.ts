import { readFileSync } from 'node:fs';

/** A machine, as far as MongoDB's builds depend on it. */
export interface System {
  platform: NodeJS.Platform;
  /** Architecture, as in `process.arch`. */
  arch: string;
  /** Whether its C library is musl, as in Alpine. */
  readonly isMusl: boolean;
  /** Content of /etc/os-release; empty where there is none. */
  osRelease: string;
}

/** The machine of this process. */
export function thisSystem(): System {
  const { platform, arch } = process;
  return {
    platform,
    arch,
    get isMusl() {
      if (platform !== 'linux') return false;
      // Without it a report looks up the names of all peers, which may take minutes.
      const report = process.report as NodeJS.ProcessReport & ReportSettings;
      report.excludeNetwork = true;
      const { header } = report.getReport() as ProcessReport;
      return header.glibcVersionRuntime === undefined;
    },
    osRelease: readOsRelease(),
  };
}

/** A setting that the types of Node leave out. */
interface ReportSettings {
  excludeNetwork?: boolean;
}

interface ProcessReport {
  header: { glibcVersionRuntime?: string };
}

function readOsRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

const built = ['x64', 'arm64'];
const otherwise = 'or name a running replica set with MONGODB_URI';

/** Why the embedded database cannot run on a system at all, with a remedy; null if it can. */
export function whyUnsupported({ platform }: System): string | null {
  if (platform === 'linux' || platform === 'darwin') return null;
  const name = platform === 'win32' ? 'Windows' : platform;
  return `The embedded database runs on Linux and macOS, not on ${name}: use WSL or Docker, ${otherwise}.`;
}

/** Why no server can be downloaded for a system, with a remedy; null if one can. */
export function whyNoDownload({ arch, isMusl }: System): string | null {
  if (isMusl) {
    return `MongoDB has no server for musl, the C library of Alpine: use a system with glibc, such as the image node:24-bookworm-slim, ${otherwise}.`;
  }
  if (built.includes(arch)) return null;
  return `MongoDB has no server for ${arch} processors, only for x86-64 and ARM64: install one so that "mongod" is on the PATH, ${otherwise}.`;
}

/**
 * The distribution whose build is downloaded, as the variable MONGOMS_DISTRO; undefined for the machine's own. MongoDB
 * builds for Debian on x86-64 only; that of Ubuntu 22.04 needs the same libraries.
 */
export function distroFor({ platform, arch, osRelease }: System): string | undefined {
  const isDebian = /^ID=["']?(debian|raspbian)\b/m.test(osRelease);
  return platform === 'linux' && arch === 'arm64' && isDebian ? 'ubuntu-22.04' : undefined;
}
