/**
 * `ctl why`: sentences that say why an object is not ready, not scheduled or not gone, each with what it rests on. What is
 * known is gathered first; the rest is decided without the server. It changes nothing, and reads no secrets.
 */
import { shownText } from '../describe/report.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { fileOptions, hasFiles, selectorOption, sourcesOf } from '../options/shared.ts';
import { createDataPrinter } from '../printers/data-printer.ts';
import { resolveObjects } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';
import { explainObject, isWell } from './explain.ts';
import { type Facts, type Finding, inNamespace, nameOf } from './finding.ts';
import { gatherFacts } from './gather.ts';

/** The verb. */
export const whyVerb = defineVerb({
  program: {
    name: 'ctl why',
    summary: 'Say why objects are not ready, not scheduled or not gone',
    usage: '(-f FILE | TYPE NAME... | TYPE -l SELECTOR | TYPE/NAME...) [flags]',
    description: [
      'Goes from a workload down to the container that is the cause. Each sentence is followed by the field, condition or event that it rests on, and by a command to type next. Secrets are not read.',
    ],
    options: [
      ...fileOptions,
      selectorOption,
      {
        name: 'output',
        short: 'o',
        type: 'string',
        section: 'Output',
        help: 'Output format: json or yaml. Sentences when it is not set.',
      },
    ],
    examples: [
      { command: 'ctl why pod/web', does: 'say why a pod is not ready' },
      { command: 'ctl why deployment web -o json', does: 'the same of a deployment, as data' },
      { command: 'ctl why namespace/old', does: 'say why a namespace is still there' },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length === 0 && !hasFiles(options)) throw new CtlError('name an object, such as pod/web');
    const print = await createDataPrinter(options.output);
    const { objects, errors } = await resolveObjects(ctl, {
      args,
      ...sourcesOf(options),
      labelSelector: options.selector,
    });
    const explained = [];
    for (const target of objects) {
      const facts = await gatherFacts(ctl, target);
      const findings = explainObject(facts);
      if (print === undefined) ctl.io.stdout.write(formatFindings(facts, findings));
      else explained.push(asData(facts, findings));
    }
    if (objects.length === 0 && errors.length === 0) ctl.io.stderr.write('No resources found\n');
    if (print !== undefined && explained.length > 0) {
      ctl.io.stdout.write(print(explained.length === 1 ? explained[0] : { items: explained }));
    }
    throwGathered(errors);
  },
});

function asData({ object, unread }: Facts, findings: readonly Finding[]) {
  const { name, namespace, uid } = object.metadata;
  const about = { apiVersion: object.apiVersion, kind: object.kind, name, namespace, uid };
  return { object: about, isWell: isWell(findings), findings, unread };
}

/** The findings of an object as text; control characters in what servers and programs wrote are made visible. */
export function formatFindings({ object, unread }: Facts, findings: readonly Finding[]): string {
  const name = `${nameOf(object)}${inNamespace(object)}`;
  const lines = [isWell(findings) ? `${name}: all is well` : `${name}:`];
  for (const { about, also = [], message, fact, next } of findings) {
    const others = also.length === 0 ? '' : ` (and ${also.length} more)`;
    lines.push(`  ${about}${others} ${oneLine(message)}`, `    as seen in: ${oneLine(fact)}`);
    if (next !== undefined) lines.push(`    next: ${oneLine(next)}`);
  }
  for (const { type, message } of unread) lines.push(`  (${type} could not be read: ${oneLine(message)})`);
  return `${lines.join('\n')}\n`;
}

const oneLine = (text: string): string => shownText(text.trim().replaceAll(/\s*\n\s*/g, ' '));
