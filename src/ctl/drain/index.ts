/**
 * `ctl drain`: keeps new pods off nodes, then makes the pods that are there go, as far as budgets and flags allow it.
 */
import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import type { ConfigOf, OptionSpec } from '../../config/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { parseLabelSelector, SelectorError } from '../../machinery/selectors/index.ts';
import { createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CombinedError, CtlError, throwGathered } from '../errors.ts';
import { gracePeriodOption } from '../options/deletion.ts';
import { dryRunOption, readDryRun, selectorOption } from '../options/shared.ts';
import { isPod } from '../pods/pod.ts';
import { listItems } from '../resource/api-object.ts';
import { readDocuments } from '../resource/read-collection.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { resolveNodes, setUnschedulable } from './cordon.ts';
import { type EndPodsOptions, endPods } from './end-pods.ts';
import { controllerOf, type JudgedPod, joinWarnings, judgePod, listRefusals } from './judge-pod.ts';

export { cordonVerb, uncordonVerb } from './cordon.ts';

const section = 'Changes';

const drainOptions = [
  selectorOption,
  {
    name: 'pod-selector',
    type: 'string',
    section: 'Selection',
    help: 'Only pods on the node whose labels fit.',
  },
  {
    name: 'force',
    type: 'bool',
    section,
    help: 'Go on even if there are pods that no controller makes anew.',
  },
  { name: 'ignore-daemonsets', type: 'bool', section, help: 'Leave pods of daemon sets where they are.' },
  {
    name: 'delete-emptydir-data',
    type: 'bool',
    section,
    help: 'Go on even if there are pods with emptyDir volumes, whose data is lost with them.',
  },
  {
    name: 'delete-local-data',
    type: 'bool',
    section,
    deprecated: 'This option is deprecated and will be deleted. Use --delete-emptydir-data.',
    help: 'The old name of --delete-emptydir-data.',
  },
  {
    name: 'disable-eviction',
    type: 'bool',
    section,
    help: 'Delete pods instead of evicting them: budgets are not asked. Use with caution.',
  },
  gracePeriodOption,
  {
    name: 'skip-wait-for-delete-timeout',
    key: 'skipWaitForDeleteTimeoutSeconds',
    type: 'int',
    default: 0,
    section,
    help: 'Pass over pods that have been ending for more than this many seconds; 0 for none.',
  },
  {
    name: 'timeout',
    type: 'duration',
    default: '0s',
    section,
    help: 'How long to try; 0 for as long as it takes.',
  },
  dryRunOption,
] as const satisfies readonly OptionSpec[];

type DrainOptions = ConfigOf<typeof drainOptions>;

/** The verb. */
export const drainVerb = defineVerb({
  program: {
    name: 'ctl drain',
    summary: 'Empty a node before it is taken away',
    usage: '(NODE... | -l SELECTOR) [flags]',
    description: [
      'The node takes no new pods from then on, see `ctl uncordon`. Pods are evicted, so that budgets are kept, and waited for. Pods of files on the node stay.',
    ],
    options: drainOptions,
    examples: [
      { command: 'ctl drain node-1 --ignore-daemonsets', does: 'empty a node, daemons stay' },
      {
        command: 'ctl drain node-1 --force --grace-period=900',
        does: 'pods without controllers too; 15 minutes for each',
      },
    ],
  },
  async run(ctl, call) {
    const { options } = call;
    checkPodSelector(options.podSelector);
    const dryRun = readDryRun(options.dryRun);
    const nodes = await resolveNodes(ctl, 'drain', call);
    await setUnschedulable(ctl, nodes, { isUnschedulable: true, dryRun });
    const report = await createReporter(ctl, undefined, { dryRun });
    const ending: EndPodsOptions = {
      dryRun,
      gracePeriodSeconds: options.gracePeriodSeconds,
      timeoutMs: options.timeoutMs,
      evictionVersion: options.disableEviction ? undefined : await findEvictionVersion(ctl),
      resource: await ctl.findResource('pods'),
    };
    for (const [index, node] of nodes.entries()) {
      try {
        await drainNode(ctl, node, options, ending);
      } catch (error) {
        const pending = nodes.slice(index).map(({ name }) => ` ${name}\n`);
        ctl.io.stderr.write(
          `error: unable to drain node ${JSON.stringify(node.name)}, aborting command...\n\n`,
        );
        ctl.io.stderr.write(`There are pending nodes to be drained:\n${pending.sort().join('')}`);
        throw error;
      }
      report({ ...node, operation: 'drained' });
    }
  },
});

function checkPodSelector(text: string | undefined): void {
  try {
    parseLabelSelector(text ?? '');
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new CtlError('--pod-selector=<pod_selector> must be a valid label selector', { cause: error });
  }
}

/** The version in which the server takes evictions; undefined when it has none. */
async function findEvictionVersion(ctl: Ctl): Promise<string | undefined> {
  const pods = await ctl.findResource('pods');
  if (!pods.subresources.includes('eviction')) return undefined;
  const { group, version } = await ctl.findResource('poddisruptionbudgets.policy');
  return `${group}/${version}`;
}

async function drainNode(
  ctl: Ctl,
  node: LiveTarget,
  options: DrainOptions,
  ending: EndPodsOptions,
): Promise<void> {
  const judged = await judgePods(ctl, node.name, options);
  refuseUnlessFree(judged);
  const warnings = joinWarnings(judged);
  if (warnings !== '') ctl.io.stderr.write(`WARNING: ${warnings}\n`);
  try {
    await endPods(ctl, podsToEnd(judged), ending);
  } catch (error) {
    await tellPending(ctl, node.name, { options, error });
    throw error;
  }
}

async function tellPending(
  ctl: Ctl,
  node: string,
  { options, error }: { readonly options: DrainOptions; readonly error: unknown },
): Promise<void> {
  const left = podsToEnd(await judgePods(ctl, node, options));
  if (left.length === 0) return;
  const all = error instanceof CombinedError ? error.errors : [error];
  const text = all.length === 1 ? errorText(all[0]) : `[${all.map(errorText).join(', ')}]`;
  const lines = left.map(({ metadata }) => `pod/${metadata.name}\n`).join('');
  ctl.io.stderr.write(
    `There are pending pods in node ${JSON.stringify(node)} when an error occurred: ${text}\n${lines}`,
  );
}

function refuseUnlessFree(judged: readonly JudgedPod[]): void {
  throwGathered(listRefusals(judged).map((text) => new CtlError(text)));
}

function podsToEnd(judged: readonly JudgedPod[]): readonly Pod[] {
  return judged.filter(({ verdict }) => verdict.isToEnd).map(({ pod }) => pod);
}

async function judgePods(ctl: Ctl, node: string, options: DrainOptions): Promise<readonly JudgedPod[]> {
  const client = await ctl.client();
  const resource = await ctl.findResource('pods');
  const labelSelector = options.podSelector;
  const target = { resource, namespace: '', labelSelector, fieldSelector: `spec.nodeName=${node}` };
  const limits = { ...options, deleteEmptydirData: options.deleteEmptydirData || options.deleteLocalData };
  const mirrorAnnotation = ctl.dialect.label('config.mirror');
  const judged: JudgedPod[] = [];
  for await (const document of readDocuments(client, target, { chunkSize: 500, signal: ctl.io.signal })) {
    for (const item of listItems(document, resource)) {
      if (!isPod(item)) throw new CtlError(`the server's answer for pods has something else in it`);
      const daemonSetProblem = await readDaemonSetProblem(ctl, item);
      const around = { mirrorAnnotation, daemonSetProblem, nowMs: ctl.io.clock.nowMs() };
      judged.push({ pod: item, verdict: judgePod(item, limits, around) });
    }
  }
  return judged;
}

/** Why the daemon set of a pod cannot be read; undefined for pods of others. */
async function readDaemonSetProblem(ctl: Ctl, pod: Pod) {
  const controller = controllerOf(pod);
  if (controller?.kind !== 'DaemonSet') return undefined;
  const client = await ctl.client();
  const resource = await ctl.findResource('daemonsets.apps');
  const target = { resource, namespace: pod.metadata.namespace ?? '', name: controller.name };
  try {
    await client.json({ method: 'GET', path: targetPath(target), signal: ctl.io.signal });
    return undefined;
  } catch (error) {
    ctl.io.signal.throwIfAborted();
    return { text: errorText(error), isNotFound: isReason(error, 'NotFound') };
  }
}
