/**
 * `ctl doctor`: what is wrong with the way to a server, with the server, and with what others need to work, in sentences. It
 * changes nothing, and what may not be read is named.
 */
import { errorText } from '../../base/index.ts';
import { type Colours, loadColours } from '../../config/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { readServerVersion } from '../client-version.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError, UnknownNameError } from '../errors.ts';
import { createDataPrinter } from '../printers/data-printer.ts';
import { toCellText } from '../printers/text-table.ts';
import type { WireObject } from '../resource/api-object.ts';
import { readObjects } from '../resource/read-objects.ts';
import { defineVerb } from '../verb.ts';
import { objectChecks } from './check-objects.ts';
import type { Finding } from './finding.ts';
import { lookAtConfiguration, lookAtServer } from './look-at-server.ts';

/** The verb. */
export const doctorVerb = defineVerb({
  program: {
    name: 'ctl doctor',
    summary: 'Look for what is wrong with server, nodes and configuration',
    usage: '[flags]',
    options: [
      {
        name: 'output',
        short: 'o',
        type: 'string',
        section: 'Output',
        help: 'Output format: json or yaml. Sentences when it is not set.',
      },
    ],
    examples: [{ command: 'ctl doctor', does: 'look at everything' }],
  },
  async run(ctl, { options, args }) {
    if (args.length > 0) throw new CtlError('doctor takes no arguments');
    const print = await createDataPrinter(options.output);
    const findings = await look(ctl);
    if (print !== undefined) ctl.io.stdout.write(print({ findings }));
    else {
      const colours = await loadColours({ isTerminal: ctl.io.stdout.isTerminal, env: ctl.io.env });
      ctl.io.stdout.write(findings.map((finding) => formatFinding(finding, colours)).join(''));
    }
    if (findings.some(({ level }) => level === 'failure')) throw new ExitError(1);
  },
});

/** Without a server, what can be said of the configuration is all there is. */
async function look(ctl: Ctl): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const steps: readonly (readonly [about: string, step: () => Promise<void>])[] = [
    ['configuration', () => lookAtConfiguration(ctl, findings)],
    ['server', () => lookAtServer(ctl, findings)],
    ['objects', () => lookAtObjects(ctl, findings)],
  ];
  for (const [about, step] of steps) {
    try {
      await step();
    } catch (error) {
      if (ctl.io.signal.aborted) throw error;
      findings.push({ level: 'failure', about, message: errorText(error) });
      // Of a server that does not answer there is nothing more to be said.
      if (about === 'server') break;
    }
  }
  return findings;
}

async function lookAtObjects(ctl: Ctl, findings: Finding[]): Promise<void> {
  const { gitVersion: serverVersion = '' } = await readServerVersion(await ctl.client(), ctl.io.signal);
  const services = await readAll(ctl, 'services.');
  const names = Array.isArray(services)
    ? new Set(services.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`))
    : undefined;
  if (typeof services === 'string')
    findings.push({
      level: 'note',
      about: 'services of webhooks',
      message: `could not be read: ${services}`,
    });
  const facts = { dialect: ctl.dialect, nowMs: ctl.io.clock.nowMs(), serverVersion, services: names };
  const parts = await Promise.all(
    Object.entries(objectChecks).map(async ([type, check]): Promise<readonly Finding[]> => {
      const objects = await readAll(ctl, type);
      if (objects === undefined) return [];
      const about = type.replace(/\..*/, '');
      if (!Array.isArray(objects))
        return [{ level: 'note', about, message: `could not be read: ${objects}` }];
      const found = objects.flatMap((object) => check(object, facts));
      const isWhole = objects.length > 0 && !(about.includes('webhook') && names === undefined);
      if (found.length > 0 || !isWhole) return found;
      return [{ level: 'ok', about, message: `nothing is wrong with the ${objects.length} that there are` }];
    }),
  );
  findings.push(...parts.flat());
}

/** All objects of a type; undefined when it is not served, and why when they may not be read. */
async function readAll(ctl: Ctl, type: string): Promise<readonly WireObject[] | string | undefined> {
  const [name = '', group = ''] = type.split('.');
  try {
    return await readObjects(ctl, group === '' ? name : `${name}.${ctl.dialect.group(group)}`, {
      namespace: '',
    });
  } catch (error) {
    if (error instanceof UnknownNameError) return undefined;
    if (!(error instanceof StatusError)) throw error;
    return errorText(error);
  }
}

function formatFinding({ level, about, message, next }: Finding, colours: Colours): string {
  const marks = {
    ok: colours.good('ok  '),
    note: 'note',
    warning: colours.caution('warn'),
    failure: colours.bad('FAIL'),
  };
  const line = `${marks[level]}  ${toCellText(`${about}: ${message}`)}\n`;
  return next === undefined ? line : `${line}      next: ${toCellText(next)}\n`;
}
