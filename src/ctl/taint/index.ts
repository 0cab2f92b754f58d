/**
 * `ctl taint`: sets and takes away the taints of nodes, which keep pods away that do not tolerate them.
 */
import type { Taint } from '../../apis/types/core-v1.ts';
import type { ConfigOf } from '../../config/index.ts';
import { changeQuery, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { validateOption } from '../options/change.ts';
import {
  allOption,
  dryRunOption,
  fieldManagerOption,
  printOptions,
  readDryRun,
  selectorOption,
} from '../options/shared.ts';
import { type LiveTarget, resolveObjects } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { changeTaints, findTaken, parseTaintChanges, splitTaintArguments } from './changes.ts';

const taintOptions = [
  selectorOption,
  allOption,
  { name: 'overwrite', type: 'bool', section: 'Changes', help: 'Let taints that are there be replaced.' },
  dryRunOption,
  fieldManagerOption,
  {
    ...validateOption,
    help: 'Accepted for the sake of scripts: taints are checked as they are read, and by the server.',
  },
  ...printOptions,
] as const;

/** The verb. */
export const taintVerb = defineVerb({
  program: {
    name: 'ctl taint',
    summary: 'Change taints of nodes',
    usage: 'nodes (NAME... | -l SELECTOR | --all) KEY[=VALUE]:EFFECT... KEY[:EFFECT]-... [flags]',
    description: [
      'An effect is NoSchedule, PreferNoSchedule or NoExecute. Without an effect all taints with the key go.',
    ],
    options: taintOptions,
    examples: [
      { command: 'ctl taint nodes node-1 dedicated=db:NoSchedule', does: 'keep other pods away from a node' },
      { command: 'ctl taint nodes node-1 dedicated-', does: 'let them come again' },
    ],
  },
  async run(ctl, { options, args }) {
    const { resources, specs } = splitTaintArguments(args);
    const changes = parseTaintChanges(specs);
    const dryRun = readDryRun(options.dryRun);
    const { objects, errors } = await findNodes(ctl, options, resources);
    throwGathered(errors);
    if (objects.length === 0) return;
    const report = await createReporter(ctl, options, { dryRun });
    for (const node of objects) {
      const spec = node.object.spec as { readonly taints?: readonly Taint[] } | undefined; // by the type of Node
      const current = spec?.taints ?? [];
      const taken = options.overwrite ? [] : findTaken(current, changes);
      if (taken.length > 0) {
        throw new CtlError(
          `node ${node.name} already has ${taken.join(',')} taint(s) with same effect(s) and --overwrite is false`,
        );
      }
      const { taints, operation } = changeTaints(current, changes, options.overwrite);
      const object =
        dryRun === 'client'
          ? { ...node.object, spec: { ...spec, taints } }
          : await send(ctl, node, { taints, options });
      report({ ...node, object, operation });
    }
  },
});

type TaintOptions = ConfigOf<typeof taintOptions>;

async function findNodes(ctl: Ctl, options: TaintOptions, [type = '', ...names]: readonly string[]) {
  if (options.all && options.selector) {
    throw new CtlError(`setting 'all' parameter with a non empty selector is prohibited`);
  }
  const resource = await ctl.findResource(type);
  if (resource.kind !== 'Node' || resource.group !== '') {
    throw new CtlError(`invalid resource type ${type}, only node types are supported`);
  }
  if (!options.all && !options.selector && names.length === 0) {
    throw new CtlError(`at least one resource name must be specified since 'all' parameter is not set`);
  }
  return resolveObjects(ctl, {
    args: [type, ...(options.all || options.selector ? [] : names)],
    filenames: [],
    isRecursive: false,
    labelSelector: options.selector,
    isAll: options.all,
  });
}

async function send(
  ctl: Ctl,
  node: LiveTarget,
  { taints, options }: { readonly taints: readonly Taint[]; readonly options: TaintOptions },
): Promise<unknown> {
  const client = await ctl.client();
  return client.json({
    method: 'PATCH',
    path: targetPath(node),
    contentType: 'application/merge-patch+json',
    query: changeQuery(options.fieldManager ?? ctl.fieldManager('taint'), readDryRun(options.dryRun)),
    body: { spec: { taints: taints.length === 0 ? null : taints } },
    signal: ctl.io.signal,
  });
}
