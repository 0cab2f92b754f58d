import { asJsonObject, errorText } from '../../base/index.ts';
import { changeQuery, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered, UsageError } from '../errors.ts';
import { type DryRun, dryRunOption, readDryRun, selectorOption } from '../options/shared.ts';
import { type LiveTarget, resolveObjects } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb, type Verb, type VerbCall } from '../verb.ts';

const cordonOptions = [selectorOption, dryRunOption] as const;

/** `ctl cordon`. */
export const cordonVerb = schedulingVerb('cordon', 'Keep new pods off a node');

/** `ctl uncordon`. */
export const uncordonVerb = schedulingVerb('uncordon', 'Let new pods onto a node again');

function schedulingVerb(name: 'cordon' | 'uncordon', summary: string): Verb {
  return defineVerb({
    program: {
      name: `ctl ${name}`,
      summary,
      usage: '(NODE... | -l SELECTOR) [flags]',
      options: cordonOptions,
      examples: [{ command: `ctl ${name} node-1`, does: `${name} one node` }],
    },
    async run(ctl, call: VerbCall<typeof cordonOptions>) {
      const dryRun = readDryRun(call.options.dryRun);
      const nodes = await resolveNodes(ctl, name, call);
      await setUnschedulable(ctl, nodes, { isUnschedulable: name === 'cordon', dryRun });
    },
  });
}

/**
 * The nodes that a command line names, or selects: an empty selector that was given stands for all of them, except where
 * scripts count on what release 1.20 refuses.
 *
 * @throws UsageError as release 1.20 words it; StatusError when a node is not there
 */
export async function resolveNodes(
  ctl: Ctl,
  verb: string,
  { options, given, args }: Pick<VerbCall<typeof cordonOptions>, 'options' | 'given' | 'args'>,
): Promise<readonly LiveTarget[]> {
  if (args.length === 0 && !given.has('selector')) throw new UsageError(`USAGE: ${verb} NODE [flags]`);
  if (args.length > 0 && options.selector) {
    throw new UsageError('cannot specify both a node name and a --selector option');
  }
  // In scripts for the release's client an empty selector is a variable that was not set, and stands for no node at all.
  if (args.length === 0 && !options.selector && verb !== 'drain' && ctl.dialect.name !== 'orch')
    throw new UsageError('You must provide one or more resources by argument or filename.');
  const { objects, errors } = await resolveObjects(ctl, {
    args: args.length === 0 ? ['nodes'] : args.map((name) => (name.includes('/') ? name : `nodes/${name}`)),
    filenames: [],
    isRecursive: false,
    labelSelector: options.selector || undefined,
    isAll: args.length === 0 && !options.selector,
  });
  throwGathered(errors);
  for (const { resource } of objects) {
    if (resource.kind !== 'Node' || resource.group !== '') {
      const { group, version, name: type } = resource;
      throw new CtlError(
        `expected resource of type node, got ${JSON.stringify(`${group}/${version}, Resource=${type}`)}`,
      );
    }
  }
  return objects;
}

/** Which way nodes are turned, and whether it counts. */
export interface SchedulingChange {
  readonly isUnschedulable: boolean;
  readonly dryRun: DryRun;
}

/** Sets `spec.unschedulable` of every node where it is otherwise, and reports each. @throws what went wrong, after all were tried */
export async function setUnschedulable(
  ctl: Ctl,
  nodes: readonly LiveTarget[],
  { isUnschedulable, dryRun }: SchedulingChange,
): Promise<void> {
  const verb = isUnschedulable ? 'cordon' : 'uncordon';
  const client = await ctl.client();
  const report = await createReporter(ctl, undefined, { dryRun });
  const errors: unknown[] = [];
  for (const node of nodes) {
    const isAlready = (asJsonObject(node.object.spec).unschedulable === true) === isUnschedulable;
    try {
      if (!isAlready && dryRun !== 'client') {
        await client.json({
          method: 'PATCH',
          path: targetPath(node),
          contentType: 'application/strategic-merge-patch+json',
          query: changeQuery(undefined, dryRun),
          body: { spec: { unschedulable: isUnschedulable || null } },
          signal: ctl.io.signal,
        });
      }
      report({ ...node, operation: `${isAlready ? 'already ' : ''}${verb}ed` });
    } catch (error) {
      errors.push(
        new CtlError(`unable to ${verb} node ${JSON.stringify(node.name)}: ${errorText(error)}`, {
          cause: error,
        }),
      );
    }
  }
  throwGathered(errors);
}
