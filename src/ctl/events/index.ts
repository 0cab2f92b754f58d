/**
 * `ctl events`: what happened, in the order of time, as clients of later releases have it.
 */
import { asText } from '../../base/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { followTarget } from '../get/follow.ts';
import { allNamespacesOption } from '../options/shared.ts';
import { createDataPrinter } from '../printers/data-printer.ts';
import { isWireObject, listItems, type WireObject } from '../resource/api-object.ts';
import { readObjects } from '../resource/read-objects.ts';
import { resolveTargets } from '../resource/resolve-targets.ts';
import type { Target } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { eventTimeMs } from '../why/finding.ts';
import { createEventTable } from './event-table.ts';

/** The verb. */
export const eventsVerb = defineVerb({
  program: {
    name: 'ctl events',
    summary: 'Show what happened, in the order of time',
    usage: '[--for=TYPE/NAME] [--types=Normal,Warning] [flags]',
    options: [
      allNamespacesOption,
      {
        name: 'for',
        type: 'string',
        valueName: 'TYPE/NAME',
        section: 'Selection',
        help: 'Only events about an object, such as pod/web-1.',
      },
      {
        name: 'types',
        type: 'strings',
        section: 'Selection',
        help: 'Only events of these types: Normal, Warning.',
      },
      {
        name: 'watch',
        short: 'w',
        type: 'bool',
        section: 'Output',
        help: 'Show those that come, too, until you interrupt.',
      },
      {
        name: 'output',
        short: 'o',
        type: 'string',
        section: 'Output',
        help: 'Output format: json or yaml. A table when it is not set.',
      },
      { name: 'no-headers', type: 'bool', section: 'Output', help: 'Leave out the headings of columns.' },
    ],
    examples: [
      { command: 'ctl events', does: 'show what happened in the namespace' },
      { command: 'ctl events --for=pod/web-1 --types=Warning', does: 'show what went wrong with a pod' },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length > 0) throw new CtlError('events takes no arguments: name an object by --for=TYPE/NAME');
    const [printData, resource, { namespace: own }] = await Promise.all([
      createDataPrinter(options.output),
      ctl.findResource('events'),
      ctl.context(),
    ]);
    const namespace = options.allNamespaces ? '' : own;
    const fieldSelector = options.for === undefined ? undefined : await selectorFor(ctl, options.for);
    const types = options.types.map((type) => type.toLowerCase());
    const fits = ({ type }: WireObject) => types.length === 0 || types.includes(asText(type).toLowerCase());
    const target = { resource, namespace, fieldSelector };
    const table = await createEventTable(ctl, {
      hasNamespaces: options.allNamespaces,
      hasHeaders: !options.noHeaders,
    });
    if (options.watch) {
      const print = printData === undefined ? table : (events: Events) => events.map(printData).join('');
      return follow(ctl, target, (events) => {
        const shown = events.filter(fits);
        if (shown.length > 0) ctl.io.stdout.write(print(shown));
      });
    }
    const events = inOrder((await readObjects(ctl, 'events', target)).filter(fits));
    if (printData !== undefined)
      ctl.io.stdout.write(printData({ apiVersion: 'v1', kind: 'List', metadata: {}, items: events }));
    else if (events.length > 0) ctl.io.stdout.write(table(events));
    else ctl.io.stderr.write(`No events found${namespace === '' ? '' : ` in ${namespace} namespace`}.\n`);
  },
});

type Events = readonly WireObject[];

/** What there is, in one, and then what comes, until the user interrupts. */
async function follow(ctl: Ctl, target: Target, onEvents: (events: Events) => void): Promise<void> {
  const listed: WireObject[] = [];
  const options = { accept: undefined, query: {}, chunkSize: 500, signal: ctl.io.signal };
  for await (const followed of followTarget(await ctl.client(), target, options)) {
    if (followed.kind === 'page') listed.push(...listItems(followed.document, target.resource));
    if (followed.kind === 'listed') onEvents(inOrder(listed.splice(0)));
    if (followed.kind !== 'event' || followed.event.type === 'DELETED') continue;
    if (isWireObject(followed.event.object)) onEvents([followed.event.object]);
  }
}

const inOrder = (events: Events): Events => events.toSorted((a, b) => eventTimeMs(a) - eventTimeMs(b));

/** Fields of events about an object. @throws CtlError for what names none */
async function selectorFor(ctl: Ctl, about: string): Promise<string> {
  const [type, name, ...rest] = about.split('/');
  if (!type || !name || rest.length > 0)
    throw new CtlError(`--for must be in resource/name form, such as pod/web-1, not ${about}`);
  const [target] = await resolveTargets(ctl, { args: [about] });
  if (target === undefined) throw new CtlError(`--for=${about} names no object`);
  return `involvedObject.kind=${target.resource.kind},involvedObject.name=${name}`;
}
