import { messageOf } from '@framegate/contract';
import {
  parseSigningCertificate,
  SigningCertificateError,
} from '../domain/installation/signingCertificate.ts';
import { readSecret } from './secretSettings.ts';
import { type ConfigProblem, type ParsedValues, pathSetting, problemWith } from './setting.ts';

/** Settings of the results' signed manifests. */
export const provenanceSettings = {
  C2PA_CERT: pathSetting({
    fallbackText: 'results have no manifest',
    meaning:
      'The certificate that signs the C2PA manifests of results, in PEM, followed by its intermediate certificates (docs/operating/provenance.md). Workers read it.',
  }),
  C2PA_KEY: pathSetting({ meaning: 'The private key of `C2PA_CERT`, in PEM without a password.' }),
};

/** The texts of the certificate and its key. */
export interface ProvenanceConfig {
  certificates: string;
  key: string;
}

/**
 * Reads and checks the certificate and its key.
 * @returns Null without a usable pair, and the problems that keep a pair from signing.
 */
export function readProvenance(
  values: Partial<ParsedValues<typeof provenanceSettings>>,
  absolute: (path: string) => string,
): { provenance: ProvenanceConfig | null; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const read = (setting: keyof typeof provenanceSettings) => {
    const path = values[setting];
    if (!path) return null;
    try {
      return readSecret(absolute(path));
    } catch (error) {
      problems.push(problemOf(setting, path, messageOf(error)));
      return null;
    }
  };
  const { C2PA_CERT: certificatePath, C2PA_KEY: keyPath } = values;
  const [certificates, key] = [read('C2PA_CERT'), read('C2PA_KEY')];
  if (certificatePath && keyPath === null) problems.push(missing('C2PA_KEY'));
  if (certificatePath === null && keyPath) problems.push(missing('C2PA_CERT'));
  if (certificates === null || key === null) return { provenance: null, problems };
  try {
    parseSigningCertificate({ certificates, key });
  } catch (error) {
    if (!(error instanceof SigningCertificateError)) throw error;
    const at = error.at === 'key' ? 'C2PA_KEY' : 'C2PA_CERT';
    problems.push(problemOf(at, values[at] ?? '', error.message));
  }
  return { provenance: { certificates, key }, problems };
}

const problemOf = (setting: string, path: string, why: string): ConfigProblem =>
  problemWith(setting, `is "${path}": ${why}.`);

const missing = (setting: string): ConfigProblem =>
  problemWith(setting, `is not set: C2PA_CERT and C2PA_KEY must be set together.`);
