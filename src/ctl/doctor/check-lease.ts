import { asJsonObject, asText, ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatHumanDuration } from '../printers/human-duration.ts';
import type { WireObject } from '../resource/api-object.ts';
import { inNamespace, nameOf } from '../why/finding.ts';
import type { ClusterFacts } from './facts.ts';
import type { Finding } from './finding.ts';

/** Holders write the time of their own clock, and may be a little late. */
const graceMs = 10_000;

type Work = 'controllers' | 'scheduler' | 'cloud';

/** Leases in the system namespace by which programs agree who of them works. */
const offices: Readonly<Record<string, readonly Work[]>> = {
  'orch-controllers': ['controllers', 'scheduler'],
  'orch-controller-manager': ['controllers'],
  'orch-scheduler': ['scheduler'],
  'cloud-controller-manager': ['cloud'],
};

/** What follows when nobody works. */
const effects: Readonly<Record<Work, string>> = {
  controllers: 'no controllers run',
  scheduler: 'no pods are placed on nodes',
  cloud: 'nodes and load balancers of the cloud are not looked after',
};

/** The work that the holder of a lease does now; none when it does not renew it. */
export function worksDone(lease: WireObject, dialect: Dialect, nowMs: number): readonly Work[] {
  const { holder, isStale } = readLease(lease, nowMs);
  return holder === '' || isStale ? [] : worksOf(lease, dialect);
}

/** Who holds a lease, and whether it is renewed in time. */
export function checkLease(lease: WireObject, facts: ClusterFacts): readonly Finding[] {
  const { dialect, nowMs, worksDone: done } = facts;
  if (lease.metadata.namespace === dialect.nodeLeaseNamespace) return checkNodeLease(lease, facts);
  const { holder, isStale, age } = readLease(lease, nowMs);
  const about = nameOf(lease);
  const works = worksOf(lease, dialect);
  const missing = works.filter((work) => !done.has(work)).map((work) => effects[work]);
  const effect = missing.length === 0 ? '' : `: ${missing.join(', and ')}`;
  const level = missing.length === 0 ? 'warning' : 'failure';
  if (holder === '') {
    // Given back in good order; others may do its work.
    if (missing.length === 0) return [];
    return [{ level, about, message: `nobody holds it${effect}`, next: 'start the program that held it' }];
  }
  if (!isStale) {
    const message = `${holder} holds it, and renewed it ${age} ago`;
    return works.length === 0 ? [] : [{ level: 'ok', about, message }];
  }
  const message = `${holder} holds it, and has not renewed it for ${age}${effect}`;
  const next = `look at the log of ${holder}; if it is gone for good: ctl delete ${about}${inNamespace(lease)}`;
  return [{ level, about, message, next }];
}

/** The node itself tells of it where controllers have seen it. */
function checkNodeLease(lease: WireObject, { nowMs, lostNodes }: ClusterFacts): readonly Finding[] {
  const { isStale, age } = readLease(lease, nowMs);
  const about = `node/${lease.metadata.name}`;
  if (!isStale || lostNodes.has(about)) return [];
  const message = `its agent has not renewed its lease for ${age}, and no controller has noticed`;
  return [{ level: 'failure', about, message, next: 'see whether agent and controllers run' }];
}

function readLease({ spec }: WireObject, nowMs: number) {
  const { holderIdentity, renewTime, leaseDurationSeconds } = asJsonObject(spec);
  const renewedMs = Date.parse(asText(renewTime));
  // A lease that does not say when it was renewed is nobody's yet.
  if (Number.isNaN(renewedMs)) return { holder: '', isStale: false, age: '' };
  const ageMs = Math.max(0, nowMs - renewedMs);
  const durationMs = Number(leaseDurationSeconds ?? 0) * 1000;
  const isStale = ageMs > durationMs + graceMs;
  return { holder: asText(holderIdentity), isStale, age: formatHumanDuration(ageMs) };
}

function worksOf({ metadata: { name = '', namespace } }: WireObject, dialect: Dialect): readonly Work[] {
  return namespace === dialect.systemNamespace ? (ownValue(offices, dialect.unspell(name)) ?? []) : [];
}
