import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { type Clock, errorText, type Logger, makeDirectory, writeFileAtomic } from '../../../base/index.ts';
import { type AgentConfig, selfSignedPaths } from '../../options/index.ts';
import type { ServingPair } from '../agent-servers.ts';
import { makeSelfSignedPair } from './self-signed.ts';

/** Where the serving certificate is, or is to be. */
export interface OpenServingPairOptions {
  readonly config: Pick<AgentConfig, 'tlsCertFile' | 'tlsPrivateKeyFile' | 'certDir'>;
  /** Host that a self-signed certificate is for. */
  readonly host: string;
  /** Spells the name of the files. */
  readonly spell: (text: string) => string;
  readonly nowMs: number;
  readonly logger: Logger;
}

const modes = { directory: 0o755, certificate: 0o644, key: 0o600 } as const;

/**
 * The serving certificate of the given files; without them the self-signed one of the certificate directory, made there
 * when it is missing.
 *
 * @throws Error when files cannot be read, are no pair, or cannot be written
 */
export async function openServingPair(options: OpenServingPairOptions): Promise<ServingPair> {
  const { tlsCertFile, tlsPrivateKeyFile, certDir } = options.config;
  if (tlsCertFile !== '' && tlsPrivateKeyFile !== '') {
    return checkPair(await readPair(tlsCertFile, tlsPrivateKeyFile), tlsCertFile);
  }
  const { certFile, keyFile } = selfSignedPaths(certDir, options);
  const found = await readPair(certFile, keyFile).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined) return checkPair(found, certFile);
  const made = await makeSelfSignedPair(options.host.toLowerCase(), options.nowMs);
  await makeDirectory(certDir, modes.directory);
  // Written atomically: a crash leaves no incomplete file.
  await writeFileAtomic(certFile, made.certificatePem, { mode: modes.certificate, isDurable: true });
  await writeFileAtomic(keyFile, made.privateKeyPem, { mode: modes.key, isDurable: true });
  options.logger.info('self-signed serving certificate in use', { certFile, keyFile });
  return made;
}

async function readPair(certFile: string, keyFile: string): Promise<ServingPair> {
  const [certificatePem, privateKeyPem] = await Promise.all([
    readFile(certFile, 'utf8'),
    readFile(keyFile, 'utf8'),
  ]);
  return { certificatePem, privateKeyPem };
}

function checkPair(pair: ServingPair, file: string): ServingPair {
  try {
    createSecureContext({ cert: pair.certificatePem, key: pair.privateKeyPem });
    return pair;
  } catch (cause) {
    const why = errorText(cause);
    throw new Error(`read serving certificate ${file}: ${why}`, { cause });
  }
}

/** Who is told of changes, and for how long. */
interface WatchFileOptions {
  readonly clock: Clock;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Takes the new content; what it throws is logged, and the content before stays in force. */
  readonly onChange: (text: string) => void;
}

/** How often the file is read again. Source: release 1.20. */
const everyMs = 60_000;

/** Polls a small file for contents other than `text`. */
export function watchFile(
  path: string,
  text: string,
  { clock, signal, logger, onChange }: WatchFileOptions,
): void {
  let known = text;
  const check = async (): Promise<void> => {
    const next = await readFile(path, 'utf8').catch(() => known); // missing while it is replaced
    if (signal.aborted) return;
    if (next !== known) {
      known = next;
      try {
        onChange(next);
        logger.info('certificate file reloaded', { path });
      } catch (error) {
        logger.error('certificate file reload failed', { path, error });
      }
    }
    wait();
  };
  const wait = (): void => {
    cancel = clock.setTimer(everyMs, () => void check());
  };
  let cancel = (): void => {};
  wait();
  signal.addEventListener('abort', () => cancel(), { once: true });
}
