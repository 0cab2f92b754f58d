/**
 * `ctl tree`: an object with what it owns below it, or with its owners. All types that can be listed are asked for, a few at
 * a time, as tables that hold metadata only: no contents of objects are read.
 */
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { createDataPrinter } from '../printers/data-printer.ts';
import { formatAge } from '../printers/human-duration.ts';
import { createTextTable, toCellText } from '../printers/text-table.ts';
import { readAllTypes, readTables } from '../resource/read-all-types.ts';
import { resolveTargets } from '../resource/resolve-targets.ts';
import { apiVersionOf, kindName, type Target, typeName } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { type Branch, type Entry, growTree, listBranches, type OwnerName, readEntries } from './owned.ts';

/** The verb. */
export const treeVerb = defineVerb({
  program: {
    name: 'ctl tree',
    summary: 'Show what objects own, and what that owns',
    usage: '(TYPE NAME... | TYPE/NAME...) [flags]',
    description: ['Types that you may not list are named on the standard error.'],
    options: [
      {
        name: 'owners',
        type: 'bool',
        section: 'Selection',
        help: 'Show the owners of the object below it, and theirs, instead of what it owns.',
      },
      {
        name: 'output',
        short: 'o',
        type: 'string',
        section: 'Output',
        help: 'Output format: json, yaml or name. A tree when it is not set.',
      },
    ],
    examples: [
      { command: 'ctl tree deployment/web', does: 'show its replica sets and their pods' },
      { command: 'ctl tree pod/web-1 --owners', does: 'show what a pod comes from' },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length === 0) throw new CtlError('name an object, such as deployment/web');
    const print = await createPrinter(options.output);
    const targets = await resolveTargets(ctl, { args });
    const errors: unknown[] = [];
    for (const target of targets) {
      if (target.name === undefined) throw new CtlError(`name an object of ${typeName(target.resource)}`);
      try {
        const [root] = await readTarget(ctl, target);
        if (root === undefined) throw new CtlError(`the server's answer for ${target.name} is no object`);
        const tree = options.owners ? await climb(ctl, root) : growTree(root, await readOwned(ctl, target));
        ctl.io.stdout.write(print(tree, ctl.io.clock.nowMs()));
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});

/** @throws CtlError for a format that trees do not have */
async function createPrinter(output: string | undefined): Promise<(tree: Branch, nowMs: number) => string> {
  if (output === 'name') {
    return (tree) =>
      listBranches(tree)
        .map(({ branch }) => `${branch.title}\n`)
        .join('');
  }
  return (await createDataPrinter(output, ['json', 'yaml', 'name'])) ?? formatTree;
}

function formatTree(tree: Branch, nowMs: number): string {
  const rows = listBranches(tree).map(({ lead, branch: { title, ready, status, creationTimestamp } }) => [
    lead + toCellText(title),
    toCellText(ready),
    toCellText(status),
    formatAge(creationTimestamp, nowMs),
  ]);
  return createTextTable().format([['NAME', 'READY', 'STATUS', 'AGE'], ...rows]);
}

/** Everything that may be owned by an object: what is in its namespace, or all when it is in none. */
async function readOwned(ctl: Ctl, { namespace }: Target): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const unread = await readAllTypes(ctl, namespace, (table, resource) => {
    for (const entry of readEntries(table, entryType(resource))) entries.push(entry);
  });
  if (unread.length > 0) {
    const types = unread.map(({ type, message }) => toCellText(`${type} (${message})`));
    ctl.io.stderr.write(`not listed: ${types.join(', ')}\n`);
  }
  return entries;
}

async function readTarget(ctl: Ctl, target: Target): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const table of readTables(ctl, target))
    entries.push(...readEntries(table, entryType(target.resource)));
  return entries;
}

const entryType = (resource: DiscoveredResource) => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  kindName: kindName(resource),
});

/** The owners of an entry below it. */
async function climb(ctl: Ctl, root: Entry): Promise<Branch> {
  const seen = new Set<string>();
  const above = async (entry: Entry): Promise<Branch> => {
    if (seen.has(entry.uid)) return { ...entry, children: [] };
    seen.add(entry.uid);
    const children: Branch[] = [];
    for (const owner of entry.owners) children.push(await above(await readOwner(ctl, entry, owner)));
    return { ...entry, children };
  };
  return above(root);
}

/** An owner; one that is gone, or that another object took the name of, is told of in its status. */
async function readOwner(ctl: Ctl, { namespace }: Entry, owner: OwnerName): Promise<Entry> {
  const { apiVersion, kind, name } = owner;
  const gone = {
    ...owner,
    title: `${kind.toLowerCase()}/${name}`,
    namespace,
    ready: '',
    creationTimestamp: '',
    owners: [],
  };
  let resource: DiscoveredResource;
  try {
    resource = await ctl.findKind(apiVersion, kind, 'ownerReferences');
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    return { ...gone, status: 'Unknown type' };
  }
  try {
    const [entry] = await readTarget(ctl, {
      resource,
      name,
      namespace: resource.isNamespaced ? namespace : '',
    });
    return entry?.uid === owner.uid ? entry : { ...gone, status: 'Gone' };
  } catch (error) {
    if (isReason(error, 'NotFound')) return { ...gone, status: 'Gone' };
    if (isReason(error, 'Forbidden')) return { ...gone, status: 'Forbidden' };
    throw error;
  }
}
