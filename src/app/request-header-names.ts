import type { ServeConfig } from '../config/serve/index.ts';
import type { RequestHeaderOptions } from '../server/authentication/index.ts';

/** How authenticating proxies name themselves and users. */
export type RequestHeaderNames = Pick<
  RequestHeaderOptions,
  'allowedNames' | 'usernameHeaders' | 'groupHeaders' | 'extraHeaderPrefixes'
>;

/** What the flags say of authenticating proxies, beside their authorities. */
export function requestHeaderNames(config: ServeConfig): RequestHeaderNames {
  return {
    allowedNames: config.requestheaderAllowedNames,
    usernameHeaders: config.requestheaderUsernameHeaders,
    groupHeaders: config.requestheaderGroupHeaders,
    extraHeaderPrefixes: config.requestheaderExtraHeadersPrefix,
  };
}
