/** What stands before the path in targets of the form that clients send to proxies (RFC 7230, section 5.3.2). */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;
const brokenEscape = /%(?![\da-f]{2})/i;

/** The target of a request without the server's own name, which clients may say there too. */
export const localTarget = (target: string): string => target.replace(origin, '');

/**
 * The parameters of a query, as Go 1.15 reads them: they end at a semicolon as well, and those with a broken escape count
 * for nothing.
 */
export function parseQuery(text: string): URLSearchParams {
  if (!text.includes(';') && !brokenEscape.test(text)) return new URLSearchParams(text);
  const parameters = text.split(/[&;]/).filter((parameter) => !brokenEscape.test(parameter));
  return new URLSearchParams(parameters.join('&'));
}
