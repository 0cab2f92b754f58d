import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isPathSegmentName,
  isPathSegmentPrefix,
} from '../../machinery/formats/index.ts';

/** Says what is wrong with an object's name; with `isPrefix` it is a `generateName`, to which letters will be added. */
export type NameValidator = (name: string, isPrefix: boolean) => string[];

/**
 * A prefix may end in `-`, since more follows. Release 1.20 drops the character before the dash too (its
 * release 1.20 is off by one); the generated name is checked as a whole anyway.
 */
function completePrefix(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

const styled =
  (check: (text: string) => string[]): NameValidator =>
  (name, isPrefix) =>
    check(isPrefix ? completePrefix(name) : name);

/** Names of most kinds. */
export const nameIsDnsSubdomain: NameValidator = styled(isDns1123Subdomain);

/** Names of namespaces, and of kinds whose name becomes a host name. */
export const nameIsDnsLabel: NameValidator = styled(isDns1123Label);

/** Names of services. */
export const nameIsDns1035Label: NameValidator = styled(isDns1035Label);

/** Names that may be anything that fits in a URL path: roles and bindings. */
export const nameIsPathSegment: NameValidator = (name, isPrefix) =>
  isPrefix ? isPathSegmentPrefix(name) : isPathSegmentName(name);
