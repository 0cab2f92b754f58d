import type { OptionSpec } from '../options.ts';

/** Who may come in, what they may do and what happens to their requests. */
export const securityOptions = [
  {
    name: 'anonymous-auth',
    type: 'bool',
    default: true,
    section: 'Authentication',
    help: 'Let requests without credentials in as system:anonymous; authorization still applies.',
  },
  {
    name: 'client-ca-file',
    type: 'string',
    section: 'Authentication',
    valueName: 'FILE',
    help: "PEM bundle of authorities whose client certificates are users. By default the data directory's own authority.",
  },
  {
    name: 'token-auth-file',
    type: 'string',
    section: 'Authentication',
    valueName: 'FILE',
    help: 'CSV file of bearer tokens: token,user,uid,"group1,group2".',
  },
  {
    name: 'service-account-issuer',
    type: 'string',
    section: 'Authentication',
    valueName: 'URL',
    help: 'Issuer of service account tokens. By default https://orch.default.svc.',
  },
  {
    name: 'service-account-key-file',
    type: 'stringArray',
    section: 'Authentication',
    valueName: 'FILE',
    help: 'PEM keys that verify service account tokens; repeatable. By default the signing key.',
  },
  {
    name: 'service-account-signing-key-file',
    type: 'string',
    section: 'Authentication',
    valueName: 'FILE',
    help: 'PEM private key that signs service account tokens. By default one made in the data directory.',
  },
  {
    name: 'api-audiences',
    type: 'strings',
    section: 'Authentication',
    help: 'Audiences that tokens for this API are for. By default the issuer.',
  },
  {
    name: 'authorization-mode',
    type: 'strings',
    default: ['Node', 'RBAC'],
    allowed: ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'],
    section: 'Authorization',
    help: 'Authorizers in order. Members of system:masters may do everything. Node grants nothing so far; ABAC and Webhook are not supported yet.',
  },
  {
    name: 'enable-admission-plugins',
    type: 'strings',
    section: 'Admission',
    help: 'Admission plugins to run beside those that are on by default.',
  },
  {
    name: 'disable-admission-plugins',
    type: 'strings',
    section: 'Admission',
    help: 'Admission plugins not to run.',
  },
  {
    name: 'default-not-ready-toleration-seconds',
    type: 'int',
    default: 300,
    section: 'Admission',
    help: 'Seconds that a pod stays on a node that is not ready, unless it says otherwise.',
  },
  {
    name: 'default-unreachable-toleration-seconds',
    type: 'int',
    default: 300,
    section: 'Admission',
    help: 'Seconds that a pod stays on a node that is unreachable, unless it says otherwise.',
  },
] as const satisfies readonly OptionSpec[];
