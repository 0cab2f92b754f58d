/** An image name that cannot be read; the message is release 1.20's. */
export class ImageNameError extends Error {
  override readonly name = 'ImageNameError';
}

/** An image reference as the agent uses it: for credentials (`repository`) and for pulls (`pullName`). */
export interface ImageName {
  /** With registry, without tag and digest: `docker.io/library/busybox`. */
  readonly repository: string;
  /** What to ask the runtime for: the name as given, or in full with tag `latest` when it has neither tag nor digest. */
  readonly pullName: string;
}

const defaultRegistry = 'docker.io';
const maxRepositoryLength = 255;
/** Longer texts are never valid: repository, tag and digest are bounded. */
const maxLength = 1024;

const identifier = /^[0-9a-f]{64}$/;
const host = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const port = /^[0-9]+$/;
const pathPart = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const digestAlgorithm = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*$/;
const digestHex = /^[0-9a-fA-F]{32,}$/;
/** Length of the digests that are known. */
const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/**
 * Reads an image name as container statuses and registries know them.
 *
 * @throws ImageNameError
 */
export function parseImageName(text: string): ImageName {
  const refuse = (reason: string): never => {
    throw new ImageNameError(`couldn't parse image reference ${JSON.stringify(text)}: ${reason}`);
  };
  if (identifier.test(text)) {
    refuse(`invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`);
  }
  const { registry, rest } = splitRegistry(text);
  const [repositoryPath = ''] = rest.split(':', 1);
  if (repositoryPath !== repositoryPath.toLowerCase()) {
    refuse('invalid reference format: repository name must be lowercase');
  }
  const parts = splitReference(registry, rest);
  if (parts === undefined) return refuse('invalid reference format');
  const repository = `${registry}/${parts.path}`;
  if (repository.length > maxRepositoryLength) {
    refuse('repository name must not be more than 255 characters');
  }
  if (parts.digest !== undefined) {
    const problem = describeDigest(parts.digest);
    if (problem !== undefined) refuse(problem);
  }
  const isComplete = parts.tag !== undefined || parts.digest !== undefined;
  return { repository, pullName: isComplete ? text : `${repository}:latest` };
}

/** The part before the first slash is a registry when it looks like a host; else the default one is meant. */
function splitRegistry(text: string): { readonly registry: string; readonly rest: string } {
  const slash = text.indexOf('/');
  const first = text.slice(0, Math.max(slash, 0));
  const isHost = slash >= 0 && (/[.:]/.test(first) || first === 'localhost');
  const rest = isHost ? text.slice(slash + 1) : text;
  const registry = !isHost || first === 'index.docker.io' ? defaultRegistry : first;
  return { registry, rest: registry === defaultRegistry && !rest.includes('/') ? `library/${rest}` : rest };
}

interface ReferenceParts {
  readonly path: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

/** Undefined for what has not the form of a name. */
function splitReference(registry: string, rest: string): ReferenceParts | undefined {
  if (rest.length > maxLength || !isRegistry(registry)) return undefined;
  const [named = '', digest, ...surplus] = rest.split('@');
  const [path = '', tag, ...more] = named.split(':');
  if (surplus.length > 0 || more.length > 0) return undefined;
  if (!path.split('/').every((part) => pathPart.test(part))) return undefined;
  if (tag !== undefined && !tagForm.test(tag)) return undefined;
  if (digest !== undefined && !isDigest(digest)) return undefined;
  return { path, tag, digest };
}

function isRegistry(text: string): boolean {
  const [name = '', number, ...surplus] = text.split(':');
  if (surplus.length > 0 || (number !== undefined && !port.test(number))) return false;
  return name.length <= maxRepositoryLength && name.split('.').every((label) => host.test(label));
}

function isDigest(text: string): boolean {
  const [algorithm = '', hex = '', ...surplus] = text.split(':');
  return surplus.length === 0 && digestAlgorithm.test(algorithm) && digestHex.test(hex);
}

function describeDigest(digest: string): string | undefined {
  const [algorithm = '', hex = ''] = digest.split(':');
  const length = digestLengths.get(algorithm);
  if (length === undefined) return 'unsupported digest algorithm';
  if (hex.length !== length) return 'invalid checksum digest length';
  return /^[0-9a-f]+$/.test(hex) ? undefined : 'invalid checksum digest format';
}
