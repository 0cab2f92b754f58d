import type { Deprecation } from '../../apis/resources/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Endpoint, HandlerContext, NoteDeprecated } from './endpoint.ts';

/** What is done about requests to deprecated APIs. */
export interface DeprecationNoticeOptions {
  /** Whether answers carry a `Warning` header; without it, only operators see such requests. */
  readonly sendsWarnings: boolean;
  /** Called for each; `removedRelease` is empty when no release is named. */
  readonly onRequest: (info: RequestInfo, removedRelease: string) => void;
}

/** Creates the function that every handler reports deprecated requests to. A text is sent once per answer. */
export function createDeprecationNotice({
  sendsWarnings,
  onRequest,
}: DeprecationNoticeOptions): NoteDeprecated {
  return ({ info, warnings, audit }, { warning, removedRelease }) => {
    audit?.noteDeprecated(removedRelease);
    if (sendsWarnings && !warnings.includes(warning)) warnings.push(warning);
    onRequest(info, removedRelease);
  };
}

/** Adds a text to the warnings of an answer, once; undefined where answers carry none. */
export function warningOf(
  { warnings }: Pick<Exchange, 'warnings'>,
  { sendsWarnings }: Pick<HandlerContext, 'sendsWarnings'>,
): ((text: string) => void) | undefined {
  if (!sendsWarnings) return undefined;
  return (text) => {
    if (!warnings.includes(text)) warnings.push(text);
  };
}

/**
 * Notes a request whose resource or subresource (`target`) is deprecated. Called when it is certain that the API has
 * such a path and verb, and before anything can fail: as in release 1.20, answers of 403 and 405 carry no warning,
 * answers of 404 for an object and of 422 do. Those of custom resources carry it whatever their path and verb are.
 */
export function noteIfDeprecated(
  exchange: Exchange,
  { context }: Endpoint,
  { deprecation }: { readonly deprecation?: Deprecation | undefined },
): void {
  if (deprecation !== undefined) context.noteDeprecated(exchange, deprecation);
}
