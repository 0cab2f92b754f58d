import type { SecureContextOptions } from 'node:tls';
import type { AgentConfig } from '../../options/index.ts';

/** The least version and the cipher suites that the configuration asks for; TLS 1.2 and the runtime's suites without. */
export async function tlsSettings({
  tlsMinVersion,
  tlsCipherSuites,
}: Pick<AgentConfig, 'tlsMinVersion' | 'tlsCipherSuites'>): Promise<SecureContextOptions> {
  if (tlsMinVersion === '' && tlsCipherSuites.length === 0) return { minVersion: 'TLSv1.2' };
  // Loaded when it is needed only: the module is large.
  const { opensslCipherList, runtimeTlsVersion } = await import('../../../config/serve/index.ts');
  return {
    minVersion: tlsMinVersion === '' ? 'TLSv1.2' : runtimeTlsVersion(tlsMinVersion),
    ...(tlsCipherSuites.length === 0 ? {} : { ciphers: opensslCipherList(tlsCipherSuites) }),
  };
}
