import { type OptionSpec, type ProgramSpec, spellProgram } from '../../config/index.ts';
import { describeFeatureGates } from '../../config/serve/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { ownOptions, toOptionSpec } from './option-specs.ts';
import { type AgentOption, agentParts, flagOptions } from './option-table.ts';

/** `nodeagent` for help, man page and completion: made from the table of options, in the words of the dialect. */
export function nodeAgentProgram(dialect: Dialect): ProgramSpec {
  const sections = Object.keys(agentParts);
  const options = flagOptions.toSorted(
    (a, b) =>
      sections.indexOf(a.part) - sections.indexOf(b.part) ||
      (dialect.spell(a.flag) < dialect.spell(b.flag) ? -1 : 1),
  );
  const program: ProgramSpec = {
    name: 'nodeagent',
    manualSection: 8,
    summary: 'Run the pods of one node',
    usage: '[flags]',
    description: [
      'Keeps the containers of the pods of one node running and healthy. Pods come from files and URLs and, with --orchconfig, from an API server with which the node registers itself.',
      'Options count in this order: the command line, the file of --config, the defaults. Only feature gates of both are merged. Names may be written with underscores instead of dashes.',
      'It runs until it is told to end, and leaves the pods running: the agent that is started next goes on with them.',
    ],
    options: [...options.map((option) => spellOption(option, dialect)), ...ownOptions],
    examples: [
      {
        command:
          'nodeagent --container-runtime=remote --container-runtime-endpoint=unix:///run/containerd/containerd.sock --pod-manifest-path=/etc/orch/manifests',
        does: 'run the pods of the files in a folder',
      },
      { command: 'nodeagent --config=agent.yaml --print-config', does: 'show what a configuration comes to' },
    ],
    exitStatus: [
      ['0', 'success'],
      ['1', 'the agent failed'],
      ['255', 'the command line or configuration is wrong'],
    ],
    seeAlso: ['orch(1)', 'ctl(1)'],
  };
  return spellProgram(program, (text) => dialect.spell(text));
}

/** In the words of the dialect: closed lists, and the defaults that are words of them or names of the protocol. */
function spellOption(option: AgentOption & { readonly flag: string }, dialect: Dialect): OptionSpec {
  const spec = toOptionSpec(option);
  const { defaultText: text = '' } = spec;
  const isSpelled = option.key === 'orchApiContentType' || option.allowed?.includes(text) === true;
  return {
    ...spec,
    ...(isSpelled ? { defaultText: dialect.spell(text) } : {}),
    ...(spec.suggested === undefined ? {} : { suggested: spec.suggested.map((word) => dialect.spell(word)) }),
    ...(option.flag === 'feature-gates' ? { choices: describeFeatureGates() } : {}),
  };
}
