/**
 * A driver of container runtimes that speak the container runtime interface over gRPC, versions `v1` and `v1alpha2`
 * (`protocol.json`, from the interface's definitions as of release 1.20). Translates calls, and keeps no state but the
 * connection; starts no runtime, and repeats no call.
 */
export { type CriRuntimeOptions, createCriRuntime } from './cri-runtime.ts';
export type { ApiVersion } from './protocol.ts';
