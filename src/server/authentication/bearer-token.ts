import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type AnyRequest, bearerToken } from '../../net/http/index.ts';
import type { Authentication, AuthenticationNotes, Authenticator } from './authenticator.ts';
import { refusedToken, type TokenAuthenticator, type TokenVerdict } from './token-authenticator.ts';

/** What the bearer tokens of requests are judged by. */
export interface BearerTokenOptions {
  readonly tokens: TokenAuthenticator;
  /** Audiences of the API itself: tokens of requests are to be for one of them. */
  readonly audiences: readonly string[];
  readonly dialect: Dialect;
  readonly logger: Logger;
}

/**
 * Users by the bearer token of a request: in its header, or among the subprotocols of a WebSocket, since programs in
 * browsers cannot set headers there. The log says at level debug why a token was not believed.
 */
export function bearerTokenAuthenticator(options: BearerTokenOptions): Authenticator {
  const { tokens, audiences, logger } = options;
  const prefix = `${options.dialect.spell('base64url.bearer.authorization.orch.io')}.`;
  const answer = (verdict: TokenVerdict, notes: AuthenticationNotes | undefined): Authentication => {
    if (verdict.kind === 'user') {
      for (const key in verdict.annotations) notes?.noteAnnotation(key, verdict.annotations[key] ?? '');
      return verdict.user;
    }
    if (verdict.kind === 'refused') {
      logger.debug('bearer token refused', { reason: verdict.messages.join('; ') });
    }
    return 'refused';
  };
  return {
    authenticate(request, notes) {
      const token = bearerToken(request) ?? protocolToken(request, prefix);
      if (token === undefined) return undefined;
      if (typeof token !== 'string') return answer(token, notes);
      const verdict = tokens.authenticateToken(token, audiences);
      return verdict instanceof Promise
        ? verdict.then((late) => answer(late, notes))
        : answer(verdict, notes);
    },
  };
}

const protocolHeader = 'sec-websocket-protocol';

/** The token among the subprotocols of a WebSocket, which has to offer another one beside, for the answer. */
function protocolToken({ headers }: AnyRequest, prefix: string): string | TokenVerdict | undefined {
  const header = headers[protocolHeader];
  if (header === undefined || headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  // Several headers are joined by commas, as a single one has them.
  const protocols = String(header)
    .split(',')
    .map((protocol) => protocol.trim());
  const encoded = protocols.filter((protocol) => protocol.startsWith(prefix));
  const [only] = encoded;
  if (only === undefined) return undefined;
  if (encoded.length > 1) return refusedToken('multiple base64.bearer.authorization tokens specified');
  const text = only.slice(prefix.length);
  if (text === '') return undefined;
  const token = decodeToken(text);
  if (token === undefined) return refusedToken('invalid base64.bearer.authorization token encoding');
  if (protocols.length === 1) return refusedToken('missing additional subprotocol');
  return token;
}

/** Undefined for what is no base64url (RFC 4648, section 5) without padding, or no UTF-8. */
function decodeToken(text: string): string | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const token = bytes.toString();
  return Buffer.from(token).equals(bytes) ? token : undefined;
}
