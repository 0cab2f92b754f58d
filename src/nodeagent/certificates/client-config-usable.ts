import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Clock, errorText, type Logger } from '../../base/index.ts';
import {
  type ClientConfig,
  ClientConfigError,
  loadClientConfig,
  readClientConfigFile,
  resolveContext,
} from '../../client/config/index.ts';
import { pemBlocks } from './pem.ts';

/**
 * Whether a configuration can be used as it is: with certificates of which none has expired, or with other credentials.
 * It cannot where it is missing, or has no credentials, or names a file of a certificate or a key that is missing.
 *
 * @throws ClientConfigError for one that is there and makes no sense, which nobody but its owner may replace
 */
export async function isClientConfigUsable(
  path: string,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<boolean> {
  const isUnusable = (reason: string, fields: object = {}): false => {
    logger.info(reason, { config: path, ...fields });
    return false;
  };
  if ((await readClientConfigFile(path)) === undefined) return isUnusable('client configuration not found');
  const config = await loadClientConfig({ files: [path], isExplicit: true, isFromEnvironment: false });
  checkContext(config, path);
  const missing = missingFile(config);
  if (missing !== undefined) return isUnusable('client certificate not found', { file: missing });
  const { connection, exec, authProvider } = resolveContext(config);
  const { cert } = connection.tls;
  if (cert === undefined) {
    const { token, username } = connection.auth;
    const hasOthers = Boolean(token || username) || (exec ?? authProvider) !== undefined;
    return hasOthers || isUnusable('client configuration without credentials');
  }
  const isExpired = validityEnds(cert.toString(), path).some((endMs) => endMs <= clock.nowMs());
  return !isExpired || isUnusable('client certificate of the client configuration expired');
}

/** Where something is written, it must be said which of it counts. @throws ClientConfigError */
function checkContext({ clusters, users, contexts, currentContext }: ClientConfig, path: string): void {
  const isEmpty = clusters.size + users.size + contexts.size === 0;
  if (contexts.has(currentContext) || (currentContext === '' && isEmpty)) return;
  const problem =
    currentContext === ''
      ? 'there is no current-context'
      : `context was not found for specified context: ${currentContext}`;
  throw new ClientConfigError(`${path}: ${problem}`);
}

/** The file of a certificate or a key that the current user names and that is not there. */
function missingFile(config: ClientConfig): string | undefined {
  const user = config.users.get(config.contexts.get(config.currentContext)?.user ?? '');
  const { clientCertificate, clientKey, clientCertificateData, clientKeyData } = user ?? {};
  const files = [
    clientCertificateData === undefined ? clientCertificate : undefined,
    clientKeyData === undefined ? clientKey : undefined,
  ];
  return files.find((file) => file !== undefined && !existsSync(file));
}

/** When each certificate expires. @throws ClientConfigError for what is no certificate */
function validityEnds(text: string, config: string): readonly number[] {
  const blocks = pemBlocks(text).filter(({ label }) => label === 'CERTIFICATE');
  try {
    if (blocks.length === 0) throw new Error('it is no PEM');
    return blocks.map((block) => new X509Certificate(block.text).validToDate.getTime());
  } catch (cause) {
    throw new ClientConfigError(`${config}: unable to parse client-cert: ${errorText(cause)}`, { cause });
  }
}
