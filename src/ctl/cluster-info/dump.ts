import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText, fileErrorText } from '../../base/index.ts';
import { resourcePath, TransportError } from '../../client/rest/index.ts';
import type { ConfigOf, OptionSpec } from '../../config/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { isPathSegmentName } from '../../machinery/formats/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import type { Output } from '../io.ts';
import { printLog } from '../logs/print-log.ts';
import { missingKeysOption, outputOption, templateOption } from '../options/shared.ts';
import { checkRunningTimeout, runningTimeoutOption } from '../pods/running-timeout.ts';
import { createObjectPrinter, type ObjectPrinter } from '../printers/object-printer.ts';
import { parseObjectFormat } from '../printers/output-format.ts';
import { defineVerb } from '../verb.ts';

const section = 'Selection';
const options = [
  {
    name: 'all-namespaces',
    short: 'A',
    type: 'bool',
    section,
    help: 'Dump all namespaces; --namespaces counts for nothing then.',
  },
  {
    name: 'namespaces',
    type: 'strings',
    section,
    help: 'Namespaces to dump. By default that of the system and the current one.',
  },
  {
    name: 'output-directory',
    type: 'string',
    section: 'Output',
    help: 'Write a file for each list and log below this folder, instead of the standard output.',
  },
  {
    ...runningTimeoutOption('20s'),
    withoutEffect: true,
    reason: 'logs are shown of pods that are there',
    help: 'Has no effect: logs are shown of pods that are there.',
  },
  outputOption,
  templateOption,
  missingKeysOption,
] as const satisfies readonly OptionSpec[];

/** What a namespace is dumped as: API and resource, and the name of the file. Source: release 1.20. */
const lists = [
  ['', 'events', 'events'],
  ['', 'replicationcontrollers', 'replication-controllers'],
  ['', 'services', 'services'],
  ['apps', 'daemonsets', 'daemonsets'],
  ['apps', 'deployments', 'deployments'],
  ['apps', 'replicasets', 'replicasets'],
  ['', 'pods', 'pods'],
] as const;

/** Extensions of the files of lists; others have that of text. */
const extensions: Readonly<Record<string, string>> = { json: '.json', yaml: '.yaml' };

/** `ctl cluster-info dump`. */
export const dumpVerb = defineVerb({
  program: {
    name: 'ctl cluster-info dump',
    summary: 'Print objects and logs that tell what is wrong with a cluster',
    usage: '[flags]',
    description: [
      'Nodes, and of each namespace events, controllers, services and pods with their logs. Whoever gets it sees all that these',
      'objects and logs contain.',
    ],
    options,
    examples: [
      { command: 'ctl cluster-info dump --output-directory=state', does: 'write files below a folder' },
      { command: 'ctl cluster-info dump -A', does: 'print all namespaces' },
    ],
  },
  async run(ctl, call) {
    if (call.args.length > 0) throw new CtlError(`unexpected arguments: [${call.args.join(' ')}]`);
    checkRunningTimeout(call.options.podRunningTimeoutMs);
    const { outputDirectory = '' } = call.options;
    const dump = await openDump(ctl, call.options);
    await dump.list('', 'nodes', 'nodes');
    for (const namespace of await chooseNamespaces(ctl, call.options)) {
      for (const [group, resource, file] of lists) {
        const items = await dump.list(group, resource, file, namespace);
        if (resource !== 'pods') continue;
        for (const pod of items as readonly Pod[]) await dump.logs(namespace, pod); // what the server says of pods
      }
    }
    if (isFolder(outputDirectory)) ctl.io.stdout.write(`Cluster info dumped to ${outputDirectory}\n`);
  },
});

const isFolder = (directory: string): boolean => directory !== '' && directory !== '-';

async function chooseNamespaces(
  ctl: Ctl,
  { allNamespaces, namespaces }: ConfigOf<typeof options>,
): Promise<readonly string[]> {
  if (allNamespaces) {
    const client = await ctl.client();
    const path = resourcePath({ group: '', version: 'v1', resource: 'namespaces' });
    const list = await client.json<{ readonly items?: readonly { readonly metadata: { name: string } }[] }>({
      method: 'GET',
      path,
      signal: ctl.io.signal,
    });
    return (list.items ?? []).map(({ metadata }) => metadata.name);
  }
  if (namespaces.length > 0) return namespaces;
  return [ctl.dialect.systemNamespace, (await ctl.context()).namespace];
}

/** Where lists and logs go. */
interface Dump {
  /** Writes a list and resolves with its items. @throws StatusError */
  list(group: string, resource: string, file: string, namespace?: string): Promise<readonly unknown[]>;
  /** Writes the logs of a pod; what cannot be read is said in its place. */
  logs(namespace: string, pod: Pod): Promise<void>;
}

async function openDump(ctl: Ctl, given: ConfigOf<typeof options>): Promise<Dump> {
  const format = parseObjectFormat(given.output || 'json');
  const { outputDirectory = '', allowMissingTemplateKeys: allowsMissingKeys } = given;
  const extension = extensions[format.kind] ?? '.txt';
  const print: ObjectPrinter = await createObjectPrinter({
    format,
    hasHeaders: true,
    allowsMissingKeys,
    showsManagedFields: true,
    isTyped: true,
  });
  /** Runs with where the content of a file goes. Names are the server's: none may lead out of the folder. */
  const into = async (
    path: readonly string[],
    write: (output: Output) => Promise<void> | void,
  ): Promise<void> => {
    if (!isFolder(outputDirectory)) return write(ctl.io.stdout);
    const [odd] = path.filter((name) => isPathSegmentName(name).length > 0);
    if (odd !== undefined) throw new CtlError(`${JSON.stringify(odd)} cannot be the name of a file`);
    await writeFile(join(outputDirectory, ...path), write);
  };
  const client = await ctl.client();
  return {
    async list(group, resource, file, namespace) {
      const path = resourcePath({ group, version: 'v1', resource, namespace });
      const list = await client.json<{ readonly items?: readonly unknown[] | null }>({
        method: 'GET',
        path,
        signal: ctl.io.signal,
      });
      await into([...(namespace === undefined ? [] : [namespace]), file + extension], (output) =>
        output.write(print(list)),
      );
      return list.items ?? [];
    },
    logs(namespace, pod) {
      const { name = '' } = pod.metadata;
      return into([namespace, name, 'logs.txt'], async (output) => {
        const own = { ...ctl, io: { ...ctl.io, stdout: output } };
        for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
          const title = `logs for container ${container.name} of pod ${namespace}/${name} ====\n`;
          output.write(`==== START ${title}`);
          try {
            const source = { namespace, pod: name, container: container.name };
            await printLog(own, source, { query: {}, hasPrefix: false, signal: ctl.io.signal });
          } catch (error) {
            if (ctl.io.signal.aborted || !(error instanceof StatusError || error instanceof TransportError))
              throw error;
            output.write(`Request log error: ${errorText(error)}\n`);
          }
          output.write(`==== END ${title}`);
        }
      });
    },
  };
}

/** @throws CtlError when the file cannot be written */
async function writeFile(path: string, write: (output: Output) => Promise<void> | void): Promise<void> {
  const descriptor = openFile(path);
  try {
    await write({
      write(content) {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      },
      isTerminal: false,
    });
  } finally {
    closeSync(descriptor);
  }
}

function openFile(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    return openSync(path, 'w', 0o644);
  } catch (error) {
    throw new CtlError(fileErrorText(error, path), { cause: error });
  }
}
