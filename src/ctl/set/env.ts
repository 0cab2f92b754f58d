import type { ConfigOf } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { hasFiles, selectorOption } from '../options/shared.ts';
import { parseObjectFormat } from '../printers/output-format.ts';
import { defineVerb } from '../verb.ts';
import { changeEnv, type EnvChanges, parseEnv, variablesFrom } from './env-changes.ts';
import { listEnv, readData } from './env-list.ts';
import { editPodSpec } from './pod-spec.ts';
import { runSet, type SetRun, setOptions, splitPairs } from './run-set.ts';

const section = 'Changes';

const envOptions = [
  {
    name: 'env',
    short: 'e',
    type: 'stringArray',
    section,
    help: 'NAME=VALUE; - reads them from the standard input.',
  },
  {
    name: 'from',
    type: 'string',
    valueName: 'TYPE/NAME',
    section,
    help: 'Config map or secret whose keys become variables.',
  },
  { name: 'keys', type: 'strings', section, help: 'Only these keys of it.' },
  {
    name: 'prefix',
    type: 'string',
    default: '',
    section,
    help: 'What the names of such variables begin with.',
  },
  {
    name: 'containers',
    short: 'c',
    type: 'string',
    default: '*',
    section,
    help: 'Which containers; * stands for any characters.',
  },
  {
    name: 'overwrite',
    type: 'bool',
    default: true,
    section,
    help: 'Let variables that are there get other values.',
  },
  {
    name: 'list',
    type: 'bool',
    section: 'Output',
    help: 'Show the variables, with the changes, and change nothing.',
  },
  {
    name: 'resolve',
    type: 'bool',
    section: 'Output',
    help: 'Show values of config maps and secrets in the list.',
  },
  ...setOptions,
  selectorOption,
] as const;

type EnvOptions = ConfigOf<typeof envOptions>;

/** `ctl set env`. */
export const envVerb = defineVerb({
  program: {
    name: 'ctl set env',
    summary: 'Change environment variables of containers',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) NAME=VALUE... NAME-... [flags]',
    options: envOptions,
    examples: [
      { command: 'ctl set env deployment/web MODE=test', does: 'set a variable' },
      { command: 'ctl set env deployment/web MODE-', does: 'take it away' },
      {
        command: 'ctl set env deployment/web --from=configmap/web --prefix=WEB_',
        does: 'take them from a config map',
      },
      { command: 'ctl set env deployment/web --list', does: 'show all' },
    ],
  },
  async run(ctl, { options, args }) {
    const { resources, pairs } = splitPairs(args, 'environment');
    if (resources.length === 0 && !hasFiles(options)) {
      throw new CtlError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
    }
    if (options.list && options.output) {
      parseObjectFormat(options.output);
      throw new CtlError('--list and --output may not be specified together');
    }
    const changes = await readChanges(ctl, options, pairs);
    const run: SetRun = {
      options,
      resources,
      labelSelector: options.selector,
      operation: 'env updated',
      failure: 'failed to patch env update to pod template:',
      edit: (object) => ({
        object: editPodSpec(object, (spec) => {
          const setting = { containers: options.containers, overwrites: options.overwrite };
          const changed = changeEnv(spec, changes, setting);
          if (!changed.isFound) {
            const what = JSON.stringify(options.containers);
            ctl.io.stderr.write(
              `warning: ${object.kind}/${object.metadata.name} does not have any containers matching ${what}\n`,
            );
          }
          return changed.spec;
        }),
      }),
    };
    if (options.list) await listEnv(ctl, run, { containers: options.containers, resolves: options.resolve });
    else await runSet(ctl, run);
  },
});

async function readChanges(ctl: Ctl, options: EnvOptions, specs: readonly string[]): Promise<EnvChanges> {
  if (options.keys.length > 0 && !options.from) {
    throw new CtlError('when specifying --keys, a configmap or secret must be provided with --from');
  }
  const given = [...specs, ...options.env];
  const lines = given.includes('-') ? ctl.io.readStdin().toString('utf8').split(/\r?\n/) : [];
  const { set, remove } = parseEnv([
    ...given.filter((spec) => spec !== '-'),
    ...lines.filter((line) => line !== ''),
  ]);
  const imported = options.from ? await readSource(ctl, options.from, options) : [];
  return { set: [...set, ...imported], remove };
}

/** Variables for the keys of a config map or secret. @throws CtlError for anything else */
async function readSource(ctl: Ctl, from: string, { keys, prefix }: EnvOptions) {
  const [type = '', name = '', ...rest] = from.split('/');
  const resource = await ctl.findResource(type);
  const isSource = resource.group === '' && (resource.kind === 'ConfigMap' || resource.kind === 'Secret');
  if (!isSource || name === '' || rest.length > 0)
    throw new CtlError('unsupported resource specified in --from');
  const { namespace } = await ctl.context();
  const all = Object.keys(await readData(ctl, { resource: resource.name, namespace, name }));
  const kept = keys.length === 0 ? all : all.filter((key) => keys.includes(key));
  const kind = resource.kind === 'Secret' ? 'secretKeyRef' : 'configMapKeyRef';
  return variablesFrom({ kind, name, keys: kept }, prefix);
}
