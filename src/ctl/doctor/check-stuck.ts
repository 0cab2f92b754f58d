import { asJsonObject, asList, asText } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { TableDocument } from '../printers/table-document.ts';
import { type Finding, patienceMs } from './finding.ts';

/** Objects of a type that are named; the others are counted. */
const maxNamed = 5;

/** Namespaces have finalizers of another kind, and conditions that say more. */
const judgedElsewhere = 'namespaces';

/** Objects of a type, as metadata, that are being deleted for longer than anything should take. */
export function findStuck(table: TableDocument, resource: DiscoveredResource, nowMs: number): StuckObjects {
  const stuck = table.rows.flatMap(({ object }) => {
    const { name, namespace, deletionTimestamp, finalizers } = asJsonObject(asJsonObject(object).metadata);
    const sinceMs = Date.parse(asText(deletionTimestamp));
    if (Number.isNaN(sinceMs) || nowMs - sinceMs < patienceMs) return [];
    const object_ = { name: asText(name), namespace: asText(namespace), since: asText(deletionTimestamp) };
    return [{ ...object_, finalizers: asList(finalizers).map(asText) }];
  });
  return resource.name === judgedElsewhere && resource.group === '' ? [] : stuck;
}

/** What is known of objects of one type that do not go. */
export type StuckObjects = readonly {
  readonly name: string;
  readonly namespace: string;
  readonly since: string;
  readonly finalizers: readonly string[];
}[];

/** Says who has to let go of them, by the name of their kind. */
export function tellStuck(kind: string, stuck: StuckObjects): readonly Finding[] {
  const findings = stuck.slice(0, maxNamed).map(({ name, namespace, since, finalizers }): Finding => {
    const about = `${kind}/${name}${namespace === '' ? '' : ` -n ${namespace}`}`;
    const who = finalizers.length === 0 ? '' : `, and waits for finalizers: ${finalizers.join(', ')}`;
    return {
      level: 'warning',
      about,
      message: `is being deleted since ${since}${who}`,
      next: `ctl why ${about}`,
    };
  });
  const more = stuck.length - findings.length;
  if (more <= 0) return findings;
  const message = `${more} more are being deleted, and do not go`;
  return [...findings, { level: 'warning', about: kind, message, next: `ctl get ${kind} -A` }];
}
