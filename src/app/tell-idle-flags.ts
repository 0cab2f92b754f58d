import type { Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';

/** Tells the log at start of flags without effect. Headers of proxies that nobody may send mean nothing. */
export function tellIdleFlags(config: ServeConfig, logger: Logger): void {
  if (config.requestheaderClientCaFile !== undefined) return;
  const named = [
    ...config.requestheaderAllowedNames,
    ...config.requestheaderUsernameHeaders,
    ...config.requestheaderGroupHeaders,
    ...config.requestheaderExtraHeadersPrefix,
  ];
  if (named.length > 0)
    logger.info('headers of authenticating proxies mean nothing without --requestheader-client-ca-file');
}
