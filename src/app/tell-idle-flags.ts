import { isIP } from 'node:net';
import type { Logger } from '../base/index.ts';
import { type ServeConfig, sniPairs } from '../config/serve/index.ts';

/**
 * Tells the log at start of flags without effect. Headers of proxies that nobody may send mean nothing, and nothing is
 * looked up where no other server is named.
 */
export function tellIdleFlags(config: ServeConfig, logger: Logger): void {
  const named = [
    ...config.requestheaderAllowedNames,
    ...config.requestheaderUsernameHeaders,
    ...config.requestheaderGroupHeaders,
    ...config.requestheaderExtraHeadersPrefix,
  ];
  if (config.requestheaderClientCaFile === undefined && named.length > 0)
    logger.info('headers of authenticating proxies mean nothing without --requestheader-client-ca-file');
  const saysHow = config.authenticationSkipLookup || config.authenticationTolerateLookupFailure;
  if (config.authenticationOrchconfig === undefined && saysHow)
    logger.info(
      '--authentication-skip-lookup and --authentication-tolerate-lookup-failure mean nothing alone',
    );
  const sized = config.watchCacheSizes.filter((size) => !/#[+-]?0+$/.test(size));
  if (sized.length > 0)
    logger.info('--watch-cache-sizes has no effect but for the size 0', { sizes: sized.join(',') });
  const addresses = sniPairs(config.tlsSniCertKey).flatMap(({ names }) =>
    names.filter((name) => isIP(name) !== 0),
  );
  if (addresses.length > 0)
    logger.info('--tls-sni-cert-key has no effect for addresses: clients ask for names only', {
      addresses: addresses.join(','),
    });
}
