import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import { errorText } from '../../../base/index.ts';
import type { AgentConfig } from '../../options/index.ts';
import type { AgentServersOptions, ServingPair } from '../agent-servers.ts';
import { openServingPair, watchFile } from './serving-pair.ts';

/** What the secure port needs of keys and certificates, as it is now. */
export interface TlsMaterial {
  /** Whether clients are asked for certificates. */
  readonly asksForCertificate: boolean;
  /** Undefined while there is no serving certificate. */
  context(): SecureContextOptions | undefined;
  /** Calls `listener` whenever there is another context, until the signal. */
  follow(listener: (context: SecureContextOptions) => void, signal: AbortSignal): void;
}

type TlsMaterialOptions = Pick<
  AgentServersOptions,
  'config' | 'certificates' | 'nodeName' | 'dialect' | 'clock' | 'logger'
>;

/**
 * Opens the serving certificate, that of the options' source or that of files, and the client authorities. The file of
 * authorities is read again when it changes.
 *
 * @throws Error for files that cannot be read, or hold something else
 */
export async function openTlsMaterial(options: TlsMaterialOptions): Promise<TlsMaterial> {
  const { config, certificates, clock, logger } = options;
  const settings = await tlsSettings(config);
  const file = config.clientCaFile;
  const firstAuthorities = file === '' ? undefined : await readFile(file, 'utf8');
  if (firstAuthorities !== undefined) checkAuthorities(firstAuthorities, file);
  let authorities = firstAuthorities;
  const own = certificates === undefined ? await openOwnPair(options) : undefined;
  const context = (): SecureContextOptions | undefined => {
    const pair = certificates === undefined ? own : certificates.current();
    if (pair === undefined) return undefined;
    const ca = authorities === undefined ? {} : { ca: authorities };
    return { ...settings, cert: pair.certificatePem, key: pair.privateKeyPem, ...ca };
  };
  return {
    asksForCertificate: firstAuthorities !== undefined,
    context,
    follow(listener, signal) {
      const announce = (): void => {
        const next = context();
        if (next !== undefined) listener(next);
      };
      const stop = certificates?.onChange(announce);
      signal.addEventListener('abort', () => stop?.(), { once: true });
      if (firstAuthorities === undefined) return;
      const onChange = (text: string): void => {
        checkAuthorities(text, file);
        authorities = text;
        announce();
      };
      watchFile(file, firstAuthorities, { clock, signal, logger, onChange });
    },
  };
}

function openOwnPair({ config, nodeName, dialect, clock, logger }: TlsMaterialOptions): Promise<ServingPair> {
  const spell = (text: string): string => dialect.spell(text);
  return openServingPair({ config, host: nodeName, spell, nowMs: clock.nowMs(), logger });
}

/** @throws Error when there is no certificate in the text, or a broken one */
function checkAuthorities(text: string, file: string): void {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (blocks.length === 0) throw new Error('data does not contain any valid RSA or ECDSA certificates');
    for (const block of blocks) new X509Certificate(block);
  } catch (cause) {
    const why = errorText(cause);
    throw new Error(`unable to load client CA file ${file}: ${why}`, { cause });
  }
}

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
