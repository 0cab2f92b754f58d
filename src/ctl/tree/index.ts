/**
 * `ctl tree`: an object with what it owns below it, or with its owners. All types that can be listed are asked for, a few at
 * a time, as tables that hold metadata only: no contents of objects are read.
 */
import { errorText } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { isReason, StatusError } from '../../machinery/errors/index.ts';
import { preferredResources } from '../api-resources.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { createDataPrinter } from '../printers/data-printer.ts';
import { formatAge } from '../printers/human-duration.ts';
import { readTable } from '../printers/table-document.ts';
import { createTextTable, toCellText } from '../printers/text-table.ts';
import { readDocuments } from '../resource/read-collection.ts';
import { resolveTargets } from '../resource/resolve-targets.ts';
import { apiVersionOf, kindName, type Target, typeName } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { type Branch, type Entry, growTree, listBranches, type OwnerName, readEntries } from './owned.ts';

/** Types that are asked for side by side. */
const maxRequests = 8;

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
  const discovery = await (await ctl.discovery()).get();
  const resources = preferredResources(discovery)
    .filter(
      ({ name, group, verbs, isNamespaced }) =>
        verbs.includes('list') &&
        name !== 'events' &&
        // What is left of this group is deprecated, and served by others too.
        group !== 'extensions' &&
        (namespace === '' || isNamespaced),
    )
    .values();
  const entries: Entry[] = [];
  const unread = discovery.failures.map(({ groupVersion }) => groupVersion);
  const readOn = async (): Promise<void> => {
    // All take from the same resources.
    for (const resource of resources) {
      for (const entry of await readType(ctl, { resource, namespace }, unread)) entries.push(entry);
    }
  };
  await Promise.all(Array.from({ length: maxRequests }, readOn));
  if (unread.length > 0) ctl.io.stderr.write(`not listed: ${unread.map(toCellText).join(', ')}\n`);
  return entries;
}

async function readType(ctl: Ctl, target: Target, unread: string[]): Promise<readonly Entry[]> {
  try {
    return await readTarget(ctl, target);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    unread.push(`${typeName(target.resource)} (${errorText(error)})`);
    return [];
  }
}

async function readTarget(ctl: Ctl, target: Target): Promise<readonly Entry[]> {
  const { resource } = target;
  const client = await ctl.client();
  const accept = `application/json;as=Table;v=v1;g=${ctl.dialect.group('meta')},application/json`;
  const query = { includeObject: 'Metadata' };
  const type = { apiVersion: apiVersionOf(resource), kind: resource.kind, kindName: kindName(resource) };
  const entries: Entry[] = [];
  for await (const document of readDocuments(client, target, {
    chunkSize: 500,
    accept,
    query,
    signal: ctl.io.signal,
  })) {
    const table = readTable(document, (time) => formatAge(time, ctl.io.clock.nowMs()));
    entries.push(...readEntries(table, type));
  }
  return entries;
}

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
