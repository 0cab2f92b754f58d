import type { ServeConfig } from '../config/serve/index.ts';
import type { RequestHeaderOptions } from '../server/authentication/index.ts';

/** What the flags say of authenticating proxies, beside their authorities. */
export function requestHeaderNames(
  config: ServeConfig,
): Pick<RequestHeaderOptions, 'allowedNames' | 'usernameHeaders' | 'groupHeaders' | 'extraHeaderPrefixes'> {
  return {
    allowedNames: config.requestheaderAllowedNames,
    usernameHeaders: config.requestheaderUsernameHeaders,
    groupHeaders: config.requestheaderGroupHeaders,
    extraHeaderPrefixes: config.requestheaderExtraHeadersPrefix,
  };
}
