import { dayMs, type Log } from '@framegate/contract';
import { createManifestSigner, type ManifestSigner } from '@framegate/media';
import type { Clock } from '../application/ports/system.ts';
import type { Config } from '../config.ts';
import {
  parseSigningCertificate,
  validityProblem,
} from '../domain/installation/signingCertificate.ts';
import { ConfigError } from '../settings/setting.ts';

/** How long before its expiry a certificate causes a warning at startup, in ms. */
const soonMs = 30 * dayMs;

/** The signer of the results' manifests; null without a certificate. */
export function composeManifestSigner({
  config,
  clock,
}: {
  config: Pick<Config, 'provenance' | 'brand'>;
  clock: Clock;
}): ManifestSigner | null {
  const { provenance, brand } = config;
  if (provenance === null) return null;
  const certificate = parseSigningCertificate(provenance);
  return createManifestSigner(
    { ...certificate, generator: brand.name, chain: certificate.chain.map(({ raw }) => raw) },
    () => validityProblem(certificate, clock.now()),
  );
}

/** Warns of a certificate that expires soon. @throws ConfigError if it is not valid now. */
export function checkCertificate({
  config,
  clock,
  log,
}: {
  config: Pick<Config, 'provenance'>;
  clock: Clock;
  log: Log;
}): void {
  const { provenance } = config;
  if (provenance === null) return;
  const certificate = parseSigningCertificate(provenance);
  const problem = validityProblem(certificate, clock.now());
  if (problem !== null) {
    throw new ConfigError([{ setting: 'C2PA_CERT', message: `C2PA_CERT: ${problem}.` }]);
  }
  const soon = validityProblem(certificate, clock.now() + soonMs);
  if (soon !== null) log.warn({ problem: soon }, 'certificate in C2PA_CERT expires soon');
}
