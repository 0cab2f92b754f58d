/** A path as Go's `url.URL` writes it: escaped but for what RFC 3986, section 3.3 allows and Go leaves. */
export const escapePath = (path: string): string =>
  escapeRest(path).replace(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, (escaped) => decodeURIComponent(escaped));

/** A name or value in a query, as Go writes it. */
export const escapeQuery = (text: string): string => escapeRest(text).replaceAll('%20', '+');

/** A link to a path below the page that it stands on: nothing in it is a scheme, a query or a fragment. */
export function relativeUrl(path: string): string {
  const escaped = escapePath(path);
  return /^[^/]*:/.test(escaped) ? `./${escaped}` : escaped;
}

/** Half a character counts as U+FFFD. */
const escapeRest = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const entities: Readonly<Record<string, string>> = {
  '\0': '\uFFFD',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Text for an HTML document, in attributes too. */
export const escapeHtml = (text: string): string =>
  text.replace(/[\0&<>"']/g, (letter) => entities[letter] ?? letter);

/** The page that Go's `net/http` sends along with a redirection. */
export const redirectPage = (location: string): string =>
  `<a href="${escapeHtml(location)}">Moved Permanently</a>.\n\n`;
