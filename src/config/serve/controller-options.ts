import type { OptionSpec } from '../options.ts';

/** What the controllers that run beside the API do; release 1.20 has these in its controller manager. */
export const controllerOptions = [
  {
    name: 'cluster-signing-cert-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: "PEM authority that signs requests for certificates. By default the data directory's own.",
  },
  {
    name: 'cluster-signing-key-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM private key of that authority.',
  },
  {
    name: 'cluster-signing-duration',
    type: 'duration',
    default: '8760h',
    min: 1000,
    section: 'Controllers',
    help: 'How long certificates count that are signed on request.',
  },
  {
    name: 'cluster-signing-orch-apiserver-client-cert-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM authority that signs client certificates, in place of the one for all.',
  },
  {
    name: 'cluster-signing-orch-apiserver-client-key-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM private key of that authority.',
  },
  {
    name: 'cluster-signing-nodeagent-client-cert-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM authority that signs client certificates of node agents, in place of the one for all.',
  },
  {
    name: 'cluster-signing-nodeagent-client-key-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM private key of that authority.',
  },
  {
    name: 'cluster-signing-nodeagent-serving-cert-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM authority that signs serving certificates of node agents, in place of the one for all.',
  },
  {
    name: 'cluster-signing-nodeagent-serving-key-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM private key of that authority.',
  },
  {
    name: 'cluster-signing-legacy-unknown-cert-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM authority that signs requests of the legacy signer, in place of the one for all.',
  },
  {
    name: 'cluster-signing-legacy-unknown-key-file',
    type: 'string',
    section: 'Controllers',
    valueName: 'FILE',
    help: 'PEM private key of that authority.',
  },
] as const satisfies readonly OptionSpec[];
