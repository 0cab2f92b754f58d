import type { UserInfo } from '../../apis/kind-rules.ts';

const prefix = 'system:node:';

/**
 * The name of the node whose agent a user is; undefined for other users, empty for an agent without a name. Both name
 * and group make an agent.
 */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}
