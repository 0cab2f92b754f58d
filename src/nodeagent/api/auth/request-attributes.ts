import type { UserInfo } from '../../../apis/kind-rules.ts';

/** What a request means to do, as the API server is asked: something with this node. */
export interface RequestAttributes {
  readonly user: UserInfo;
  /** Empty for methods that are no verb. */
  readonly verb: string;
  readonly subresource: 'proxy' | 'stats' | 'metrics' | 'log' | 'spec';
  readonly nodeName: string;
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const subresources = [
  ['/stats', 'stats'],
  ['/metrics', 'metrics'],
  ['/logs', 'log'],
  ['/spec', 'spec'],
] as const;

/** Verb by method, subresource of the node by path; `proxy` stands for every path without one of its own. */
export function requestAttributes(
  { method, path }: { readonly method: string; readonly path: string },
  user: UserInfo,
  nodeName: string,
): RequestAttributes {
  const found = subresources.find(([root]) => path === root || path.startsWith(`${root}/`));
  return { user, verb: verbs[method] ?? '', subresource: found?.[1] ?? 'proxy', nodeName };
}

/** The attributes as refusals show them. */
export function formatAttributes({ user, verb, subresource }: RequestAttributes): string {
  return `(user=${user.name}, verb=${verb}, resource=nodes, subresource=${subresource})`;
}
