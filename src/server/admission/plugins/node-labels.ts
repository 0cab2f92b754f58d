import type { Dialect } from '../../../machinery/dialect.ts';

/** Labels of this project's domains that agents set themselves, by the part before the domain, and name. */
const ownLabels: readonly (readonly [string, string])[] = [
  ['', 'hostname'],
  ['', 'os'],
  ['', 'arch'],
  ['beta', 'os'],
  ['beta', 'arch'],
  ['beta', 'instance-type'],
  ['node', 'instance-type'],
  ['topology', 'zone'],
  ['topology', 'region'],
  ['failure-domain.beta', 'zone'],
  ['failure-domain.beta', 'region'],
];

/** Finds labels that an agent may not set or change on its Node. Source: KEP-279, "Limit Node Access". */
export function forbiddenNodeLabels(dialect: Dialect): (names: Iterable<string>) => string[] {
  const prefixOf = (sub: string): string => dialect.domain(sub, '').slice(0, -1);
  const reserved = [dialect.label('').slice(0, -1), dialect.groupSuffix.slice(1)];
  const allowedPrefixes = [dialect.spell('nodeagent.orch.io'), prefixOf('node')];
  const restricted = prefixOf('node-restriction');
  const allowed = new Set(
    ownLabels.map(([sub, name]) => (sub === '' ? dialect.label(name) : dialect.domain(sub, name))),
  );
  const isForbidden = (label: string): boolean => {
    const prefix = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
    if (isWithin(prefix, restricted)) return true;
    if (!reserved.some((domain) => isWithin(prefix, domain)) || allowed.has(label)) return false;
    return !allowedPrefixes.some((domain) => isWithin(prefix, domain));
  };
  return (names) => [...names].filter(isForbidden).sort();
}

const isWithin = (prefix: string, domain: string): boolean =>
  prefix === domain || prefix.endsWith(`.${domain}`);

/** Labels that are in one set only, or have another value in the other. */
export function changedLabels(
  first: Readonly<Record<string, string>> = {},
  second: Readonly<Record<string, string>> = {},
): Set<string> {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  for (const name of names) {
    const isSame = Object.hasOwn(first, name) && Object.hasOwn(second, name) && first[name] === second[name];
    if (isSame) names.delete(name);
  }
  return names;
}
