import type { OptionSpec } from '../options.ts';

const section = 'Node agents';

/** How the server reaches the agents of nodes: for logs, exec, attach, port-forward and node proxies. */
export const agentOptions = [
  {
    name: 'nodeagent-certificate-authority',
    type: 'string',
    section,
    valueName: 'FILE',
    help: 'PEM bundle of authorities of serving certificates of node agents. Without it these are not verified.',
  },
  {
    name: 'nodeagent-client-certificate',
    type: 'string',
    section,
    valueName: 'FILE',
    help: "PEM client certificate for node agents. By default one of the data directory's own authority, which agents have to trust (their --client-ca-file).",
  },
  {
    name: 'nodeagent-client-key',
    type: 'string',
    section,
    valueName: 'FILE',
    help: 'PEM private key of --nodeagent-client-certificate.',
  },
  {
    name: 'nodeagent-preferred-address-types',
    type: 'strings',
    default: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
    section,
    help: 'Types of node addresses at which agents are reached, the best first.',
  },
  {
    name: 'nodeagent-timeout',
    type: 'duration',
    default: '5s',
    min: 1,
    section,
    help: 'How long connecting to a node agent, a proxied pod or service may take, TLS included.',
  },
  {
    name: 'nodeagent-port',
    type: 'uint',
    default: 10250,
    min: 1,
    max: 65535,
    section,
    hidden: true,
    deprecated: 'nodes name the ports of their agents',
    help: 'Port of node agents whose nodes name none.',
  },
] as const satisfies readonly OptionSpec[];
