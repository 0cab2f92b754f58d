const domainPart = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
// Separators are single alternatives of fixed first character, so that matching stays linear.
const pathPart = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const domainPattern = new RegExp(`^${domainPart}(?:\\.${domainPart})*(?::[0-9]+)?$`);
const pathPattern = new RegExp(`^${pathPart}(?:/${pathPart})*$`);
const digestPattern = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const identifierPattern = /^[a-f0-9]{64}$/;
const maxNameLength = 255;

/**
 * True when an image reference names the tag `latest`, also when it names neither a tag nor a digest. False for
 * a text that is no reference (grammar of the container image reference format).
 */
export function isLatestImage(image: string): boolean {
  if (identifierPattern.test(image)) return false;
  const at = image.indexOf('@');
  const digest = at < 0 ? undefined : image.slice(at + 1);
  const named = at < 0 ? image : image.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : undefined;
  if ((tag ?? (digest === undefined ? 'latest' : '')) !== 'latest') return false;
  if (digest !== undefined && !digestPattern.test(digest)) return false;
  return isImageName(hasTag ? named.slice(0, colon) : named);
}

function isImageName(name: string): boolean {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const hasDomain = first === 'localhost' || /[.:]/.test(first);
  const domain = hasDomain ? first : 'docker.io';
  const path = hasDomain ? name.slice(slash + 1) : name;
  if (domain.length + 1 + path.length > maxNameLength) return false;
  return pathPattern.test(path) && (!hasDomain || domainPattern.test(domain));
}
