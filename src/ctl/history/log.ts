/**
 * What objects were before: `ctl log` shows the versions that the server still has, `ctl undo` puts one of them back.
 */

import { type Colours, loadColours } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { throwGathered } from '../errors.ts';
import { createDataPrinter } from '../printers/data-printer.ts';
import { formatAge } from '../printers/human-duration.ts';
import { formatObjectName } from '../printers/name.ts';
import { toCellText } from '../printers/text-table.ts';
import { type LiveTarget, resolveForUsage } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';
import { type Author, findAuthors, timeOf } from './authors.ts';
import { type FieldChange, listChanges } from './changed-fields.ts';
import { readVersions, type VersionStep } from './versions.ts';

/** One version as it is shown. */
interface LogEntry {
  readonly resourceVersion: string;
  readonly time?: string | undefined;
  readonly by: readonly Author[];
  /** `oldest`: nothing is known of what was before. */
  readonly what: 'created' | 'changed' | 'oldest';
  readonly changes: readonly FieldChange[];
}

/** Lines of one version: the rest is counted. */
const maxLines = 20;

/** `ctl log`. */
export const logVerb = defineVerb({
  program: {
    name: 'ctl log',
    summary: 'Show who changed which fields of an object when',
    usage: '(TYPE NAME... | TYPE/NAME...) [flags]',
    description: [
      'Shows the versions of an object that the server still has, the newest first, and what differs from the version before. Who and when is what the record of owners (metadata.managedFields) says. How long versions are kept is the --history of orch serve. Values of secrets are not shown.',
    ],
    options: [
      {
        name: 'limit',
        type: 'int',
        default: 20,
        min: 0,
        section: 'Selection',
        help: 'Show at most so many versions of each object; 0 shows all.',
      },
      { name: 'output', short: 'o', type: 'string', section: 'Output', help: 'Output format: json or yaml.' },
    ],
    examples: [
      { command: 'ctl log deployment/web', does: 'show what happened to it' },
      { command: 'ctl get deployment/web -o yaml --at=1234', does: 'print one of its versions' },
    ],
  },
  async run(ctl, { options, args }) {
    const { limit, output } = options;
    const print = await createDataPrinter(output);
    const { objects, errors } = await resolveForUsage(ctl, { args, filenames: [], isRecursive: false });
    const colours = await loadColours({ isTerminal: ctl.io.stdout.isTerminal, env: ctl.io.env });
    for (const target of objects) {
      try {
        const entries = await readEntries(ctl, target, limit === 0 ? Infinity : limit);
        if (print !== undefined) ctl.io.stdout.write(print(asData(target, entries)));
        else ctl.io.stdout.write(formatLog(ctl, target, { entries, colours, isOnly: objects.length === 1 }));
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});

async function readEntries(ctl: Ctl, target: LiveTarget, limit: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const step of readVersions(ctl, target)) {
    entries.push(toEntry(step, ctl.dialect.lastAppliedAnnotation));
    if (entries.length >= limit) break;
  }
  return entries;
}

function toEntry({ object, previous }: VersionStep, lastApplied: string): LogEntry {
  const { resourceVersion = '' } = object.metadata;
  if (previous === 'forgotten') return { resourceVersion, by: [], what: 'oldest', changes: [] };
  if (previous === 'created') {
    const by = findAuthors(undefined, object);
    return { resourceVersion, time: timeOf(by, object), by, what: 'created', changes: [] };
  }
  const by = findAuthors(previous, object);
  const changes = listChanges(previous, object, lastApplied);
  return { resourceVersion, time: timeOf(by, undefined), by, what: 'changed', changes };
}

const asData = ({ resource, namespace, name }: LiveTarget, entries: readonly LogEntry[]) => ({
  object: formatObjectName({ ...resource, name }),
  namespace,
  versions: entries,
});

interface LogView {
  readonly entries: readonly LogEntry[];
  readonly colours: Colours;
  /** Otherwise each object is named. */
  readonly isOnly: boolean;
}

function formatLog({ io }: Ctl, target: LiveTarget, { entries, colours, isOnly }: LogView): string {
  const nowMs = io.clock.nowMs();
  const lines = isOnly ? [] : [colours.heading(formatObjectName({ ...target.resource, name: target.name }))];
  for (const { resourceVersion, time, by, what, changes } of entries) {
    const when = time === undefined ? 'at an unknown time' : `${time} (${formatAge(time, nowMs)} ago)`;
    const who = by.map(({ manager, operation }) => toCellText(`${manager} (${operation})`)).join(', ');
    const title = colours.heading(`version ${toCellText(resourceVersion)}`);
    if (what === 'oldest') lines.push(`${title}  the oldest that the server still has`);
    else
      lines.push(
        `${title}  ${toCellText(when)}  ${who || 'unknown writer'}${what === 'created' ? '  created' : ''}`,
      );
    if (what === 'changed' && changes.length === 0) lines.push('    (only the record of owners)');
    for (const change of changes.slice(0, maxLines)) lines.push(`    ${formatChange(change, colours)}`);
    if (changes.length > maxLines) lines.push(`    and ${changes.length - maxLines} other fields`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** `spec.replicas: 1 -> 3`, `+ metadata.labels.app: "web"`, `- spec.paused`. */
export function formatChange({ path, kind, before, after }: FieldChange, colours: Colours): string {
  const name = toCellText(path);
  if (kind === 'added') return colours.good(`+ ${name}${valueText(after)}`);
  if (kind === 'removed') return colours.bad(`- ${name}${valueText(before)}`);
  const isShort = before !== undefined && after !== undefined;
  return colours.caution(
    isShort ? `~ ${name}${valueText(before)} -> ${valueText(after).slice(2)}` : `~ ${name}`,
  );
}

const maxValueLength = 60;

function valueText(value: unknown): string {
  if (value === undefined) return '';
  const text = toCellText(JSON.stringify(value));
  return `: ${text.length > maxValueLength ? `${text.slice(0, maxValueLength)}...` : text}`;
}
