/**
 * `ctl doctor`: what is wrong with the way to a server, with the server, and with what others need to work, in sentences. It
 * changes nothing, and what may not be read is named.
 */
import { errorText } from '../../base/index.ts';
import { type Colours, loadColours } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError } from '../errors.ts';
import { createDataPrinter } from '../printers/data-printer.ts';
import { toCellText } from '../printers/text-table.ts';
import { defineVerb } from '../verb.ts';
import type { Finding } from './finding.ts';
import { lookAtObjects } from './look-at-objects.ts';
import { lookAtConfiguration, lookAtServer, lookAtStore } from './look-at-server.ts';

/** The verb. */
export const doctorVerb = defineVerb({
  program: {
    name: 'ctl doctor',
    summary: 'Look for what is wrong with server, nodes and configuration',
    description: [
      'Looks at the configuration, certificates, clocks and versions, the server and its store, nodes, leases of controllers and agents, services and CA bundles of whom the server calls (webhooks, converters, interfaces of others), and objects that are being deleted and do not go. It changes nothing, and names what you may not read.',
      'The exit code is 1 when something fails.',
    ],
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
    examples: [
      { command: 'ctl doctor', does: 'look at everything' },
      { command: 'ctl doctor -o json', does: 'the same, as data with levels and what to do next' },
    ],
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
  const attempt = async <Result>(about: string, step: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await step();
    } catch (error) {
      if (ctl.io.signal.aborted) throw error;
      findings.push({ level: 'failure', about, message: errorText(error) });
      return undefined;
    }
  };
  await attempt('configuration', () => lookAtConfiguration(ctl, findings));
  const server = await attempt('server', () => lookAtServer(ctl, findings));
  // Of a server that does not answer there is nothing more to be said.
  if (server === undefined) return findings;
  findings.push(...((await attempt('store', () => lookAtStore(ctl, server.nowMs))) ?? []));
  findings.push(...((await attempt('objects', () => lookAtObjects(ctl, server))) ?? []));
  return findings;
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
