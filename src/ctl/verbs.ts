import type { Verb } from './verb.ts';

/** A command as the overview lists it; its code is loaded when it is called. */
export interface VerbEntry {
  readonly summary: string;
  readonly load: () => Promise<Verb>;
  /** It has to do with no server. */
  readonly isOffline?: boolean;
}

/** All commands, in the order of the overview. */
export const verbs: Readonly<Record<string, VerbEntry>> = {
  get: { summary: 'Show one or many resources', load: async () => (await import('./get/index.ts')).getVerb },
  describe: {
    summary: 'Show objects in detail, with their events',
    load: async () => (await import('./describe/index.ts')).describeVerb,
  },
  events: {
    summary: 'Show what happened, in the order of time',
    load: async () => (await import('./events/index.ts')).eventsVerb,
  },
  why: {
    summary: 'Say why objects are not ready, not scheduled or not gone',
    load: async () => (await import('./why/index.ts')).whyVerb,
  },
  doctor: {
    summary: 'Look for what is wrong with server, nodes and configuration',
    load: async () => (await import('./doctor/index.ts')).doctorVerb,
  },
  tree: {
    summary: 'Show what objects own, and what that owns',
    load: async () => (await import('./tree/index.ts')).treeVerb,
  },
  create: {
    summary: 'Create objects from files or flags',
    load: async () => (await import('./create/index.ts')).createVerb,
  },
  run: { summary: 'Run an image in a pod', load: async () => (await import('./run-pod/index.ts')).runVerb },
  expose: {
    summary: 'Make a service that leads to the pods of an object',
    load: async () => (await import('./expose/index.ts')).exposeVerb,
  },
  apply: {
    summary: 'Bring about what files describe',
    load: async () => (await import('./apply/index.ts')).applyVerb,
  },
  diff: {
    summary: 'Show what applying files would change',
    load: async () => (await import('./diff/index.ts')).diffVerb,
  },
  edit: {
    summary: 'Edit objects in an editor',
    load: async () => (await import('./edit/index.ts')).editVerb,
  },
  replace: {
    summary: 'Replace objects by those of files',
    load: async () => (await import('./replace.ts')).replaceVerb,
  },
  patch: { summary: 'Change fields of an object', load: async () => (await import('./patch.ts')).patchVerb },
  delete: {
    summary: 'Delete objects by file, name or selector',
    load: async () => (await import('./delete/index.ts')).deleteVerb,
  },
  convert: {
    summary: 'Bring manifests to another API version',
    load: async () => (await import('./convert/index.ts')).convertVerb,
    isOffline: true,
  },
  kustomize: {
    summary: 'Print the objects that a kustomization makes',
    load: async () => (await import('./kustomize/index.ts')).kustomizeVerb,
    isOffline: true,
  },
  label: {
    summary: 'Change labels of objects',
    load: async () => (await import('./label/index.ts')).labelVerb,
  },
  annotate: {
    summary: 'Change annotations of objects',
    load: async () => (await import('./label/index.ts')).annotateVerb,
  },
  set: {
    summary: 'Change images, variables and the like of objects',
    load: async () => (await import('./set/index.ts')).setVerb,
  },
  rollout: {
    summary: 'Follow, pause and undo rollouts of pod templates',
    load: async () => (await import('./rollout/index.ts')).rolloutVerb,
  },
  log: {
    summary: 'Show who changed which fields of an object when',
    load: async () => (await import('./history/log.ts')).logVerb,
  },
  undo: {
    summary: 'Put an earlier version of an object back',
    load: async () => (await import('./history/undo.ts')).undoVerb,
  },
  scale: {
    summary: 'Set how many replicas there are',
    load: async () => (await import('./scale.ts')).scaleVerb,
  },
  autoscale: {
    summary: 'Make an autoscaler for an object that can be scaled',
    load: async () => (await import('./autoscale.ts')).autoscaleVerb,
  },
  cordon: {
    summary: 'Keep new pods off a node',
    load: async () => (await import('./drain/index.ts')).cordonVerb,
  },
  uncordon: {
    summary: 'Let new pods onto a node again',
    load: async () => (await import('./drain/index.ts')).uncordonVerb,
  },
  drain: {
    summary: 'Empty a node before it is taken away',
    load: async () => (await import('./drain/index.ts')).drainVerb,
  },
  taint: {
    summary: 'Change taints of nodes',
    load: async () => (await import('./taint/index.ts')).taintVerb,
  },
  top: {
    summary: 'Show what nodes and pods use',
    load: async () => (await import('./top/index.ts')).topVerb,
  },
  wait: {
    summary: 'Wait until objects are ready or gone',
    load: async () => (await import('./wait/index.ts')).waitVerb,
  },
  logs: {
    summary: 'Print what containers have written',
    load: async () => (await import('./logs/index.ts')).logsVerb,
  },
  exec: {
    summary: 'Run a command in a container',
    load: async () => (await import('./exec/index.ts')).execVerb,
  },
  debug: {
    summary: 'Look into pods and nodes from a container that is added for that',
    load: async () => (await import('./debug/index.ts')).debugVerb,
  },
  attach: {
    summary: 'Join the streams of a process that a container runs',
    load: async () => (await import('./attach/index.ts')).attachVerb,
  },
  'port-forward': {
    summary: 'Lead local ports to those of a pod',
    load: async () => (await import('./port-forward/index.ts')).portForwardVerb,
  },
  proxy: {
    summary: 'Serve the API on a local port, with your credentials',
    load: async () => (await import('./proxy/index.ts')).proxyVerb,
  },
  cp: {
    summary: 'Copy files to and from containers',
    load: async () => (await import('./cp/index.ts')).cpVerb,
  },
  schema: {
    summary: 'Print JSON Schema of types, for editors',
    load: async () => (await import('./schema/index.ts')).schemaVerb,
  },
  explain: {
    summary: 'Show what the fields of a resource mean',
    load: async () => (await import('./explain/index.ts')).explainVerb,
  },
  'api-resources': {
    summary: 'List the resources that the server has',
    load: async () => (await import('./api-resources.ts')).apiResourcesVerb,
  },
  'api-versions': {
    summary: 'List the group versions that the server has',
    load: async () => (await import('./api-versions.ts')).apiVersionsVerb,
  },
  'cluster-info': {
    summary: 'Show where the server is',
    load: async () => (await import('./cluster-info/index.ts')).clusterInfoVerb,
  },
  auth: {
    summary: 'Ask what somebody may do',
    load: async () => (await import('./auth/index.ts')).authVerb,
  },
  certificate: {
    summary: 'Decide on requests for certificates',
    load: async () => (await import('./certificate.ts')).certificateVerb,
  },
  config: {
    summary: 'Show and change the client configuration',
    load: async () => (await import('./config-verbs/index.ts')).configVerb,
    isOffline: true,
  },
  completion: {
    summary: 'Print a script that completes command lines in a shell',
    load: async () => (await import('./completion.ts')).completionVerb,
    isOffline: true,
  },
  options: {
    summary: 'Show the flags that all commands have',
    load: async () => (await import('./shared-flags.ts')).optionsVerb,
    isOffline: true,
  },
  plugin: {
    summary: 'Show the programs that serve as commands',
    load: async () => (await import('./plugins/index.ts')).pluginVerb,
    isOffline: true,
  },
  version: {
    summary: 'Print the versions of client and server',
    load: async () => (await import('./version.ts')).versionVerb,
  },
};
