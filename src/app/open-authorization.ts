import { nodeRules } from '../apis/bootstrap/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Stores } from '../registry/index.ts';
import {
  AbacAuthorizer,
  AccessWebhook,
  type Authorizer,
  authorizersFor,
  chainRuleResolvers,
  everyRule,
  FollowedGraph,
  NodeAuthorizer,
  type RuleResolver,
  readAbacPolicies,
} from '../server/authorization/index.ts';
import { RbacAuthorizer } from '../server/authorization/rbac/index.ts';
import type { ApiModel } from './api-model.ts';
import { openCallee, openOperatorCaller } from './open-callee.ts';
import { readFlagFile } from './read-flag-file.ts';

/** What files of modes are read with. */
export interface AuthorizationFiles {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends connections to the webhook. */
  readonly opened: AsyncDisposableStack;
}

/** Authorizers of modes that work by files; undefined for modes that are not on. */
export interface FileAuthorizers {
  readonly abac: AbacAuthorizer | undefined;
  readonly webhook: AccessWebhook | undefined;
}

/** Reads the files of modes. @throws Error that names the flag of a file that cannot be used. */
export async function openAuthorization(files: AuthorizationFiles): Promise<FileAuthorizers> {
  return { abac: await openAbac(files), webhook: await openAccessWebhook(files) };
}

async function openAbac({
  config,
  model: { dialect },
}: AuthorizationFiles): Promise<AbacAuthorizer | undefined> {
  const path = config.authorizationPolicyFile;
  if (path === undefined) return undefined;
  const text = await readFlagFile('authorization-policy-file', path);
  return new AbacAuthorizer(readAbacPolicies(text, path, dialect));
}

async function openAccessWebhook({
  config,
  model: { dialect, catalog },
  opened,
  ...parts
}: AuthorizationFiles): Promise<AccessWebhook | undefined> {
  const { authorizationWebhookConfigFile: webhook, authorizationOrchconfig: server } = config;
  const path = webhook ?? server;
  if (path === undefined) return undefined;
  const ofWebhook = { flag: 'authorization-webhook-config-file', path };
  const group = dialect.group('authorization');
  const ofServer = {
    flag: dialect.spell('authorization-orchconfig'),
    path,
    below: `/apis/${group}/v1/subjectaccessreviews`,
  };
  const usesV1 = webhook === undefined || config.authorizationWebhookVersion === 'v1';
  return new AccessWebhook({
    ...parts,
    caller: openOperatorCaller(parts.clock, opened),
    callee: await openCallee({ ...parts, ...(webhook === undefined ? ofServer : ofWebhook) }),
    version: usesV1 ? 'v1' : 'v1beta1',
    authorizedTtlMs: config.authorizationWebhookCacheAuthorizedTtlMs,
    unauthorizedTtlMs: config.authorizationWebhookCacheUnauthorizedTtlMs,
    dialect,
    catalog,
    random: Math.random,
  });
}

/** Who decides what users may do, and who lists it. */
export interface Authorization {
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  /** Works in every mode, for the check of what roles and bindings grant. */
  readonly rbac: RbacAuthorizer;
}

/** The authorizers of the modes that are on. Nobody has roles as long as there are no stores. */
export function createAuthorization(
  { authorizationMode: modes }: Pick<ServeConfig, 'authorizationMode'>,
  { dialect, gates }: Pick<ApiModel, 'dialect' | 'gates'>,
  { files, stores }: { readonly files: FileAuthorizers; readonly stores: () => Stores | undefined },
): Authorization {
  const group = dialect.group('rbac.authorization');
  const rbac = new RbacAuthorizer({
    dialect,
    storeOf: (resource) => stores()?.stores.get(`${group}/${resource}`),
  });
  const node = new NodeAuthorizer({
    dialect,
    gates,
    rules: nodeRules(dialect),
    graph: new FollowedGraph({ dialect, storeOf: (resource) => stores()?.stores.get(resource) }),
  });
  const { abac, webhook } = files;
  const authorizers = { ABAC: abac, Node: node, RBAC: rbac, Webhook: webhook };
  const resolvers: Readonly<Record<string, RuleResolver | undefined>> = {
    ABAC: abac,
    AlwaysAllow: everyRule,
    Node: node,
    RBAC: rbac,
    Webhook: webhook,
  };
  return {
    authorizer: authorizersFor(modes, authorizers),
    rules: chainRuleResolvers(modes.flatMap((mode) => resolvers[mode] ?? [])),
    rbac,
  };
}
