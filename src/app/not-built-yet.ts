import type { Logger } from '../base/index.ts';
import { effectiveAdmissionPlugins, type ServeConfig } from '../config/serve/index.ts';
import { notBuiltYet } from '../server/admission/index.ts';

/** Tells the log at start what was asked for and is not built yet, so that nobody relies on it. */
export function tellNotBuiltYet(config: ServeConfig, logger: Logger): void {
  const plugins = effectiveAdmissionPlugins({
    enable: config.enableAdmissionPlugins,
    disable: config.disableAdmissionPlugins,
  });
  const idle = plugins.filter((name) => notBuiltYet.has(name));
  if (idle.length > 0)
    logger.info('admission plugins without effect in this version', { plugins: idle.join() });
  tellIdleHeaders(config, logger);
}

/** Headers of proxies that nobody may send mean nothing: whoever names them should know. */
function tellIdleHeaders(config: ServeConfig, logger: Logger): void {
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
