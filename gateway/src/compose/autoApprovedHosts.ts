import { sampleHost } from '../adapters/media/sampleHost.ts';
import type { Config } from '../config.ts';

/**
 * Hosts that need no member of staff: the operator's, and while trying out the host of the sample
 * pictures, which is answered from this package's own files.
 */
export function autoApprovedHosts(config: Config): readonly string[] {
  const { autoApproved } = config.inputHosts;
  return config.mode === 'development' ? [...autoApproved, sampleHost] : autoApproved;
}
