/**
 * `ctl top`: what nodes and pods use, as the metrics API of the cluster tells it.
 */
import type { OptionSpec } from '../../config/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { parseLabelSelector, SelectorError } from '../../machinery/selectors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { retiredOption } from '../options/retired.ts';
import { allNamespacesOption, selectorOption } from '../options/shared.ts';
import { createTextTable, toCellText } from '../printers/text-table.ts';
import { isWireObject, listItems, type WireObject } from '../resource/api-object.ts';
import { readDocuments } from '../resource/read-collection.ts';
import type { Target } from '../resource/target.ts';
import { defineVerb, refuseToGuess } from '../verb.ts';
import { nodeRows, podRows } from './rows.ts';

const sharedOptions = [
  selectorOption,
  {
    name: 'sort-by',
    type: 'string',
    section: 'Output',
    help: 'Show those first that use most: cpu or memory. By default rows are sorted by name.',
  },
  { name: 'no-headers', type: 'bool', section: 'Output', help: 'Leave out the headings of columns.' },
  ...(['heapster-namespace', 'heapster-port', 'heapster-scheme', 'heapster-service'] as const).map(
    retiredOption,
  ),
] as const satisfies readonly OptionSpec[];

const nodeVerb = defineVerb({
  program: {
    name: 'ctl top node',
    summary: 'Show what nodes use',
    usage: '[NAME | -l SELECTOR] [flags]',
    options: sharedOptions,
    examples: [{ command: 'ctl top node --sort-by=memory', does: 'show who uses most memory first' }],
  },
  async run(ctl, { options, args }) {
    const name = checkArguments(args, options, 'node');
    const { selector: labelSelector, sortBy = '' } = options;
    const metrics = await readMetrics(ctl, { resource: 'nodes', name, namespace: '', labelSelector });
    if (metrics.length === 0) throw new CtlError('metrics not available yet');
    const nodes = await readAll(ctl, {
      resource: await ctl.findResource('nodes'),
      namespace: '',
      name,
      labelSelector,
    });
    const headings = ['NAME', 'CPU(cores)', 'CPU%', 'MEMORY(bytes)', 'MEMORY%'];
    print(ctl, options.noHeaders ? [] : [headings], nodeRows(metrics, nodes, sortBy));
  },
});

const podVerb = defineVerb({
  program: {
    name: 'ctl top pod',
    summary: 'Show what pods use',
    usage: '[NAME | -l SELECTOR] [flags]',
    options: [
      allNamespacesOption,
      { name: 'containers', type: 'bool', section: 'Output', help: 'Show each container of a pod.' },
      ...sharedOptions,
    ],
    examples: [
      { command: 'ctl top pod -A --sort-by=cpu', does: 'show the pods of all namespaces, the busiest first' },
      { command: 'ctl top pod web --containers', does: 'show the containers of a pod' },
    ],
  },
  async run(ctl, { options, args }) {
    const name = checkArguments(args, options, 'pod');
    const { allNamespaces, containers, selector: labelSelector, sortBy = '' } = options;
    const namespace = allNamespaces ? '' : (await ctl.context()).namespace;
    if (allNamespaces && name !== undefined) {
      throw new CtlError('an empty namespace may not be set when a resource name is provided');
    }
    const metrics = await readMetrics(ctl, { resource: 'pods', name, namespace, labelSelector });
    if (metrics.length === 0) {
      ctl.io.stderr.write(`No resources found${allNamespaces ? '' : ` in ${namespace} namespace.`}\n`);
      return;
    }
    const headings = [
      ...(allNamespaces ? ['NAMESPACE'] : []),
      ...(containers ? ['POD'] : []),
      'NAME',
      'CPU(cores)',
      'MEMORY(bytes)',
    ];
    const rows = podRows(metrics, { showsNamespace: allNamespaces, showsContainers: containers, sortBy });
    print(ctl, options.noHeaders ? [] : [headings], rows);
  },
});

/** The verb; all of its work is in commands of its own. */
export const topVerb = defineVerb({
  program: {
    name: 'ctl top',
    summary: 'Show what nodes and pods use',
    usage: '(node | pod) [flags]',
    description: ['The cluster must have a metrics server, which serves the group metrics.'],
    options: [],
  },
  subverbs: Object.fromEntries([
    ...['node', 'nodes', 'no'].map((name) => [name, async () => nodeVerb]),
    ...['pod', 'pods', 'po'].map((name) => [name, async () => podVerb]),
  ]),
  run: refuseToGuess,
});

function checkArguments(
  args: readonly string[],
  { selector, sortBy = '' }: { readonly selector: string | undefined; readonly sortBy: string | undefined },
  what: string,
): string | undefined {
  const [name, ...rest] = args;
  if (rest.length > 0) throw new UsageError(`${what} [NAME | -l label]`);
  if (name !== undefined && selector) throw new CtlError('only one of NAME or --selector can be provided');
  if (!['', 'cpu', 'memory'].includes(sortBy)) throw new CtlError('--sort-by accepts only cpu or memory');
  checkSelector(selector ?? '');
  return name;
}

/** The server would say more than the release's client, which reads the selector itself. @throws CtlError */
function checkSelector(selector: string): void {
  try {
    parseLabelSelector(selector);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new CtlError(error.message, { cause: error });
  }
}

/** @throws CtlError when the server has no metrics */
async function readMetrics(
  ctl: Ctl,
  { resource, ...rest }: Omit<Target, 'resource'> & { readonly resource: string },
): Promise<readonly WireObject[]> {
  const found = await findMetrics(ctl, resource);
  return readAll(ctl, { ...rest, resource: found });
}

async function findMetrics(ctl: Ctl, resource: string) {
  try {
    return await ctl.findResource(`${resource}.v1beta1.${ctl.dialect.group('metrics')}`);
  } catch (error) {
    if (!(error instanceof CtlError) && !(error instanceof StatusError)) throw error;
    throw new CtlError('Metrics API not available', { cause: error });
  }
}

async function readAll(ctl: Ctl, target: Target): Promise<readonly WireObject[]> {
  const client = await ctl.client();
  const objects: WireObject[] = [];
  for await (const document of readDocuments(client, target, { chunkSize: 500, signal: ctl.io.signal })) {
    if (target.name === undefined) objects.push(...listItems(document, target.resource));
    else if (isWireObject(document)) objects.push(document);
  }
  return objects;
}

function print(ctl: Ctl, headings: readonly string[][], rows: readonly (readonly string[])[]): void {
  const table = createTextTable();
  // As in the release's client, blanks follow the last column too.
  ctl.io.stdout.write(table.format([...headings, ...rows].map((row) => [...row.map(toCellText), ''])));
}
