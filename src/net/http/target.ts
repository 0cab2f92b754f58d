/** What stands before the path in targets of the form that clients send to proxies (RFC 7230, section 5.3.2). */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;
const unreadable = /;|%(?![\da-f]{2})/i;

/** The target of a request without the server's own name, which clients may say there too. */
export const localTarget = (target: string): string => target.replace(origin, '');

/** The parameters of a query, as Go reads them since 1.17: those with a semicolon or a broken escape count for nothing. */
export function parseQuery(text: string): URLSearchParams {
  if (!unreadable.test(text)) return new URLSearchParams(text);
  const parameters = text.split('&').filter((parameter) => !unreadable.test(parameter));
  return new URLSearchParams(parameters.join('&'));
}
