import type { EtcdMember } from './etcd-process.ts';
import { eventually } from './eventually.ts';

/** The member that leads, and the others. @throws Error when there is no leader for ten seconds. */
export async function splitMembers(
  members: readonly EtcdMember[],
): Promise<{ readonly leader: EtcdMember; readonly followers: readonly EtcdMember[] }> {
  const leader = await eventually(() => findLeader(members));
  return { leader, followers: members.filter((member) => member !== leader) };
}

interface MemberStatus {
  readonly header: { readonly member_id: string };
  readonly leader?: string;
}

/** What a member says of itself; undefined when it does not answer. */
export async function statusOf({ endpoint }: EtcdMember): Promise<MemberStatus | undefined> {
  const request = { method: 'POST', body: '{}', signal: AbortSignal.timeout(1000) };
  try {
    const response = await fetch(`${endpoint}/v3/maintenance/status`, request);
    // etcd's own answer, of a member that this test started.
    return response.ok ? ((await response.json()) as MemberStatus) : undefined;
  } catch {
    return undefined; // It does not answer, which is what callers want to know.
  }
}

/** The member that all members which answer take for the leader. */
async function findLeader(members: readonly EtcdMember[]): Promise<EtcdMember | undefined> {
  const statuses = await Promise.all(members.map(statusOf));
  const leaders = new Set(statuses.map((status) => status?.leader));
  const [id] = leaders;
  if (leaders.size !== 1 || id === undefined) return undefined;
  return members[statuses.findIndex((status) => status?.header.member_id === id)];
}
