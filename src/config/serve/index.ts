/**
 * The options of `orch serve`: tables, data about release 1.20's flags, feature gates and admission plugins, and the
 * checks between them. It completes nothing that needs the machine (data directory, addresses): `app` does.
 */
export { effectiveAdmissionPlugins } from './admission-plugins.ts';
export { isControllerEnabled, unknownControllers } from './controllers.ts';
export { etcdServers, storageRoot } from './etcd-servers.ts';
export {
  describeFeatureGates,
  effectiveFeatureGates,
  type FeatureGate,
  type FeatureGateName,
  featureGates,
  featureGateWarnings,
} from './feature-gates.ts';
export { layerServeConfig, type ServeSources } from './layer-serve-config.ts';
export { otherReferenceOptions } from './other-reference-options.ts';
export { type ServeConfig, serveOptions, serveProgram } from './serve-options.ts';
export { type SniPair, sniPairs } from './sni-pairs.ts';
export { opensslCipherList, runtimeTlsVersion } from './tls-names.ts';
