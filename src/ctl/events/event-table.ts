import { asJsonObject, asText } from '../../base/index.ts';
import { loadColours } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { eventAge } from '../describe/events.ts';
import { createTablePrinter } from '../printers/table-printer.ts';
import type { WireObject } from '../resource/api-object.ts';

/** What a table of events shows beside them. */
export interface EventTableOptions {
  readonly hasNamespaces: boolean;
  readonly hasHeaders: boolean;
}

/** Makes lines of events; the headings come with the first of them. */
export async function createEventTable(
  { io }: Ctl,
  { hasNamespaces, hasHeaders }: EventTableOptions,
): Promise<(events: readonly WireObject[]) => string> {
  const names = [...(hasNamespaces ? ['Namespace'] : []), 'Last Seen', 'Type', 'Reason', 'Object', 'Message'];
  const columns = names.map((name) => ({ name, priority: 0 }));
  const printer = createTablePrinter({
    hasHeaders,
    isWide: false,
    showsNamespace: false,
    kindPrefix: '',
    showsLabels: false,
    labelColumns: [],
    colours: await loadColours({ isTerminal: io.stdout.isTerminal, env: io.env }),
  });
  return (events) => {
    const nowMs = io.clock.nowMs();
    const rows = events.map((event) => {
      const { kind, name } = asJsonObject(event.involvedObject);
      const cells = [
        eventAge(event, nowMs),
        event.type,
        event.reason,
        `${asText(kind)}/${asText(name)}`,
        asText(event.message).trim(),
      ];
      return { cells: hasNamespaces ? [event.metadata.namespace, ...cells] : cells, object: event };
    });
    return printer.print({ columns, rows });
  };
}
