/**
 * `ctl describe`: one object after another in detail, with what belongs to it and its events. Kinds without a layout
 * of their own show all of their fields.
 */
import type { JsonObject } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason, StatusError } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwEach } from '../errors.ts';
import { allNamespacesOption, fileOptions, hasFiles, selectorOption, sourcesOf } from '../options/shared.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import {
  type LiveTarget,
  type ObjectRequest,
  type ResolvedObjects,
  resolveObjects,
} from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { Report } from './report.ts';

/** The layouts of kinds, by resource and group in the spelling of the code. */
const describers: Readonly<Record<string, () => Promise<Describer>>> = {
  'pods.': async () => (await import('./pod.ts')).describePod,
  'nodes.': async () => (await import('./node.ts')).describeNode,
  'services.': async () => (await import('./service.ts')).describeService,
  'deployments.apps': async () => (await import('./deployment.ts')).describeDeployment,
  'replicasets.apps': async () => (await import('./pod-sets.ts')).describeReplicaSet,
  'replicationcontrollers.': async () => (await import('./pod-sets.ts')).describeReplicationController,
  'statefulsets.apps': async () => (await import('./pod-sets.ts')).describeStatefulSet,
  'daemonsets.apps': async () => (await import('./pod-sets.ts')).describeDaemonSet,
  'jobs.batch': async () => (await import('./job.ts')).describeJob,
  'cronjobs.batch': async () => (await import('./job.ts')).describeCronJob,
  'persistentvolumeclaims.': async () => (await import('./persistent-volume-claim.ts')).describeClaim,
  'persistentvolumes.': async () => (await import('./persistent-volume.ts')).describeVolume,
  'storageclasses.storage.orch.io': async () => (await import('./storage-class.ts')).describeStorageClass,
  'csinodes.storage.orch.io': async () => (await import('./storage-class.ts')).describeCsiNode,
  'endpoints.': async () => (await import('./endpoints.ts')).describeEndpoints,
  'endpointslices.discovery.orch.io': async () => (await import('./endpoints.ts')).describeEndpointSlice,
  'ingresses.networking.orch.io': async () => (await import('./ingress.ts')).describeIngress,
  'ingresses.extensions': async () => (await import('./ingress.ts')).describeIngress,
  'ingressclasses.networking.orch.io': async () => (await import('./ingress.ts')).describeIngressClass,
  'networkpolicies.networking.orch.io': async () =>
    (await import('./network-policy.ts')).describeNetworkPolicy,
  'namespaces.': async () => (await import('./limits.ts')).describeNamespace,
  'limitranges.': async () => (await import('./limits.ts')).describeLimitRange,
  'resourcequotas.': async () => (await import('./limits.ts')).describeQuota,
  'horizontalpodautoscalers.autoscaling': async () => (await import('./autoscaler.ts')).describeAutoscaler,
  'poddisruptionbudgets.policy': async () => (await import('./budget.ts')).describeBudget,
  'priorityclasses.scheduling.orch.io': async () => (await import('./budget.ts')).describePriorityClass,
  'serviceaccounts.': async () => (await import('./access.ts')).describeServiceAccount,
  'roles.rbac.authorization.orch.io': async () => (await import('./access.ts')).describeRole,
  'clusterroles.rbac.authorization.orch.io': async () => (await import('./access.ts')).describeRole,
  'rolebindings.rbac.authorization.orch.io': async () => (await import('./access.ts')).describeRoleBinding,
  'clusterrolebindings.rbac.authorization.orch.io': async () =>
    (await import('./access.ts')).describeRoleBinding,
  'certificatesigningrequests.certificates.orch.io': async () =>
    (await import('./certificate-request.ts')).describeCertificateRequest,
  'configmaps.': async () => (await import('./data.ts')).describeConfigMap,
  'secrets.': async () => (await import('./data.ts')).describeSecret,
};

/** Types without events in their descriptions, as release 1.20's client has them. */
const withoutEvents = new Set([
  'secrets.',
  'namespaces.',
  'limitranges.',
  'resourcequotas.',
  'networkpolicies.networking.orch.io',
  'roles.rbac.authorization.orch.io',
  'clusterroles.rbac.authorization.orch.io',
  'rolebindings.rbac.authorization.orch.io',
  'clusterrolebindings.rbac.authorization.orch.io',
]);

/** The type of which release 1.20's client shows events even where it is told not to. */
const alwaysWithEvents = 'persistentvolumeclaims.';

/** The verb. */
export const describeVerb = defineVerb({
  program: {
    name: 'ctl describe',
    summary: 'Show objects in detail, with their events',
    usage: '(-f FILE | TYPE [NAME_PREFIX | -l SELECTOR] | TYPE/NAME) [flags]',
    options: [
      ...fileOptions,
      selectorOption,
      allNamespacesOption,
      {
        name: 'show-events',
        type: 'bool',
        default: true,
        section: 'Output',
        help: 'Show the events about the objects.',
      },
    ],
    examples: [
      { command: 'ctl describe node n1', does: 'describe a node' },
      { command: 'ctl describe pods -l app=web', does: 'describe the pods with a label' },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length === 0 && !hasFiles(options)) {
      throw new CtlError(
        'You must specify the type of resource to describe. Use "ctl api-resources" for a complete list of supported resources.',
      );
    }
    const request = {
      args,
      ...sourcesOf(options),
      labelSelector: options.selector,
      isAllNamespaces: options.allNamespaces,
      allowsTypesOnly: true,
      errorPlace: 'first' as const,
    };
    const { objects, errors, isByPrefix } = await findObjects(ctl, request);
    for (const [index, target] of objects.entries()) {
      try {
        const text = await describeObject(ctl, target, options.showEvents);
        // Spaced as release 1.20 does it: it ends what it found by prefix, and separates the rest.
        ctl.io.stdout.write(isByPrefix ? `${text}\n` : (index > 0 ? '\n\n' : '') + text);
      } catch (error) {
        errors.push(error);
      }
    }
    if (objects.length === 0 && errors.length === 0) await reportNothing(ctl, options.allNamespaces);
    throwEach(errors);
  },
});

/** The text for a pod template outside of an object. The layout is loaded for it. */
export async function describeTemplate(template: JsonObject, dialect: Dialect): Promise<string> {
  return (await import('./pod-template.ts')).formatPodTemplate(template, dialect);
}

async function describeObject(
  ctl: Ctl,
  { resource, object }: LiveTarget,
  showsEvents: boolean,
): Promise<string> {
  const type = ctl.dialect.unspell(`${resource.name}.${resource.group}`);
  const load = describers[type];
  const describer = load === undefined ? (await import('./generic.ts')).describeGeneric : await load();
  const report = new Report(ctl.dialect);
  const shown = await inDescribedVersion(ctl, { type, object });
  await describer({ ctl, object: shown, report, nowMs: ctl.io.clock.nowMs() });
  const isShown = showsEvents || (report.isRelease && type === alwaysWithEvents);
  if (isShown && !withoutEvents.has(type)) await describeEvents(ctl, object, report);
  return report.toString();
}

/** Autoscalers say more in another version than the one that servers prefer. */
async function inDescribedVersion(
  ctl: Ctl,
  { type, object }: { readonly type: string; readonly object: WireObject },
): Promise<WireObject> {
  if (type !== 'horizontalpodautoscalers.autoscaling' || object.apiVersion === 'autoscaling/v2beta2')
    return object;
  const { namespace = '', name = '' } = object.metadata;
  const client = await ctl.client();
  const path = resourcePath({
    group: 'autoscaling',
    version: 'v2beta2',
    resource: 'horizontalpodautoscalers',
    namespace,
    name,
  });
  try {
    const answer = await client.json<unknown>({ method: 'GET', path, signal: ctl.io.signal });
    return isWireObject(answer) ? answer : object;
  } catch (error) {
    // Other servers do not have that version.
    if (error instanceof StatusError) return object;
    throw error;
  }
}

/** One name that does not exist may be the beginning of names. */
async function findObjects(
  ctl: Ctl,
  request: ObjectRequest,
): Promise<ResolvedObjects & { readonly isByPrefix: boolean }> {
  const found = { ...(await resolveObjects(ctl, request)), isByPrefix: false };
  const [type, prefix] = request.args;
  if (ctl.dialect.name !== 'orch' && request.args.length === 2 && found.errors.length === 1) {
    // Release 1.20's client takes the second of two words for the beginning of a name when one object is missing.
    const isMissing = isReason(found.errors[0], 'NotFound');
    if (isMissing && type?.includes(',')) throw new CtlError('you may only specify a single resource type');
    if (isMissing && type?.includes('/')) return { ...found, objects: [] };
  }
  if (found.objects.length > 0 || request.args.length !== 2 || type === undefined || prefix === undefined)
    return found;
  if (!found.errors.every((error) => isReason(error, 'NotFound'))) return found;
  const all = await resolveObjects(ctl, { ...request, args: [type] });
  const objects = all.objects.filter(({ name }) => name.startsWith(prefix));
  return objects.length > 0 ? { objects, errors: [], isByPrefix: true } : found;
}

async function reportNothing(ctl: Ctl, isAllNamespaces: boolean): Promise<void> {
  const where = isAllNamespaces ? '' : ` in ${(await ctl.context()).namespace} namespace.`;
  ctl.io.stderr.write(`No resources found${where}\n`);
}
