import type { OptionSpec } from '../options.ts';

const section = 'Authorization';

/** What users may do. */
export const authorizationOptions = [
  {
    name: 'authorization-mode',
    type: 'strings',
    default: ['Node', 'RBAC'],
    allowed: ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'],
    section,
    help: 'Authorizers in order. Members of system:masters may do everything.',
  },
  {
    name: 'authorization-policy-file',
    type: 'string',
    section,
    valueName: 'FILE',
    help: 'Policies of mode ABAC, one JSON object a line.',
  },
  {
    name: 'authorization-orchconfig',
    type: 'string',
    section,
    valueName: 'FILE',
    help: 'Client configuration of an API server that mode Webhook asks what users may do (SubjectAccessReview): for a server of resources of its own behind another one.',
  },
  {
    name: 'authorization-webhook-config-file',
    type: 'string',
    section,
    valueName: 'FILE',
    help: 'Client configuration of the server that mode Webhook asks.',
  },
  {
    name: 'authorization-webhook-version',
    type: 'string',
    default: 'v1beta1',
    allowed: ['v1', 'v1beta1'],
    section,
    help: 'Version of the reviews that mode Webhook sends and expects.',
  },
  {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    default: '5m0s',
    min: 0,
    section,
    help: 'How long answers of mode Webhook count that allow.',
  },
  {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    default: '30s',
    min: 0,
    section,
    help: 'How long answers of mode Webhook count that do not allow.',
  },
] as const satisfies readonly OptionSpec[];

const admissionSection = 'Admission';

/** What happens to requests that change something. */
export const admissionOptions = [
  {
    name: 'enable-admission-plugins',
    type: 'strings',
    section: admissionSection,
    help: 'Admission plugins to run beside those that are on by default.',
  },
  {
    name: 'disable-admission-plugins',
    type: 'strings',
    section: admissionSection,
    help: 'Admission plugins not to run.',
  },
  {
    name: 'admission-control',
    type: 'strings',
    section: admissionSection,
    help: 'Admission plugins to run, and no others.',
    deprecated: 'use --enable-admission-plugins and --disable-admission-plugins',
  },
  {
    name: 'admission-control-config-file',
    type: 'string',
    section: admissionSection,
    valueName: 'FILE',
    help: 'Configuration of admission plugins, and credentials for webhooks.',
  },
  {
    name: 'default-not-ready-toleration-seconds',
    type: 'int',
    default: 300,
    section: admissionSection,
    help: 'Seconds that a pod stays on a node that is not ready, unless it says otherwise.',
  },
  {
    name: 'default-unreachable-toleration-seconds',
    type: 'int',
    default: 300,
    section: admissionSection,
    help: 'Seconds that a pod stays on a node that is unreachable, unless it says otherwise.',
  },
] as const satisfies readonly OptionSpec[];
